/** Takes the place of `client/argument-checks` in the bundle: the compiler checks the console's calls. */
export {};
