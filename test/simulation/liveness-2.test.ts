import { playSeeds } from './play-seeds';

playSeeds('liveness', 2);
