import { playSeeds } from './play-seeds';

playSeeds('liveness', 1001, 50);
