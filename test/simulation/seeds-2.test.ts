import { playSample } from './play-sample';

playSample(2);
