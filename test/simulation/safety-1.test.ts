import { playSeeds } from './play-seeds';

playSeeds('safety', 1);
