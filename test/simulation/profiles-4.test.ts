import { playProfiles } from './play-profiles';

playProfiles(4);
