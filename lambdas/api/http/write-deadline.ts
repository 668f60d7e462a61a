export { startDeadline, withinDeadline, type WriteDeadline } from '../../core/store/write-deadline';
