import { playSample } from './play-sample';

playSample(1);
