import { playSeeds } from './play-seeds';

playSeeds('safety', 51, 50);
