/** A needle that ends in a text: its index, and the position after its last character. */
type Found = (needle: number, end: number) => void;

const NOTHING = -1;
const CODES = 256;
/** Multiplier of Fibonacci hashing: 2^32 divided by the golden ratio. */
const SPREAD = 0x9e3779b1;
const INT_BITS = 32;

/**
 * Finds many needles in a text in one pass: the automaton of Aho and Corasick (1975). Texts have one
 * character for each byte; any other character is in no needle.
 *
 * A state is a beginning of a needle: the longest that ends where the pass is. `fallback` of a state is the
 * longest other beginning that ends there, so it is shorter. Each character makes the state longer by one at
 * most, and each fallback makes it shorter. Hence there are no more fallbacks than characters. So a pass
 * takes at most two steps for each character, however many needles there are.
 *
 * At each position the longest needle that ends there is found: it covers the shorter ones.
 */
export class Automaton {
  private states = 1;
  /** Transitions by state and character, in a table with open addressing. It is at most half full. */
  private readonly keys: Int32Array;
  private readonly targets: Int32Array;
  private readonly shift: number;
  private readonly fallback: Int32Array;
  /** The longest needle that ends in a state. */
  private readonly ending: Int32Array;

  constructor(needles: readonly string[]) {
    const most = 1 + needles.reduce((sum, needle) => sum + needle.length, 0);
    const bits = Math.max(1, INT_BITS - Math.clz32(most * 2 - 1));
    this.shift = INT_BITS - bits;
    this.keys = new Int32Array(2 ** bits).fill(NOTHING);
    this.targets = new Int32Array(2 ** bits);
    this.fallback = new Int32Array(most);
    this.ending = new Int32Array(most).fill(NOTHING);
    needles.forEach((needle, index) => this.add(needle, index));
    this.linkFallbacks(needles);
  }

  /** Calls `found` for each needle in the text. Returns the steps that this took. */
  find(text: string, found: Found): number {
    let [state, steps] = [0, 0];
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      let next = this.next(state, code);
      for (steps += 1; next === NOTHING && state !== 0; steps += 1) {
        state = this.fallback[state]!;
        next = this.next(state, code);
      }
      state = next === NOTHING ? 0 : next;
      const needle = this.ending[state]!;
      if (needle !== NOTHING) found(needle, at + 1);
    }
    return steps;
  }

  private add(needle: string, index: number): void {
    let state = 0;
    for (let at = 0; at < needle.length; at++) {
      const code = needle.charCodeAt(at);
      const slot = this.slotOf(state, code);
      if (this.keys[slot] === NOTHING) {
        this.keys[slot] = state * CODES + code;
        this.targets[slot] = this.states;
        this.states += 1;
      }
      state = this.targets[slot]!;
    }
    if (state !== 0 && this.ending[state] === NOTHING) this.ending[state] = index;
  }

  /** State by state, the shorter ones first: a fallback is linked before the states that need it. */
  private linkFallbacks(needles: readonly string[]): void {
    let walks = needles.map((needle) => ({ needle, state: 0 }));
    const linked = new Uint8Array(this.states);
    for (let length = 0; walks.length > 0; length++) {
      walks = walks.filter(({ needle }) => needle.length > length);
      for (const walk of walks) {
        const code = walk.needle.charCodeAt(length);
        const from = walk.state;
        walk.state = this.next(from, code);
        if (linked[walk.state] === 1) continue;
        linked[walk.state] = 1;
        const fallback = from === 0 ? 0 : this.longestBefore(from, code);
        this.fallback[walk.state] = fallback;
        if (this.ending[walk.state] === NOTHING) this.ending[walk.state] = this.ending[fallback]!;
      }
    }
  }

  private longestBefore(from: number, code: number): number {
    for (let state = from; state !== 0;) {
      state = this.fallback[state]!;
      const next = this.next(state, code);
      if (next !== NOTHING) return next;
    }
    return 0;
  }

  private next(state: number, code: number): number {
    if (code >= CODES) return NOTHING;
    const slot = this.slotOf(state, code);
    return this.keys[slot] === NOTHING ? NOTHING : this.targets[slot]!;
  }

  /** Where the transition is, or may be put. */
  private slotOf(state: number, code: number): number {
    const key = state * CODES + code;
    const last = this.keys.length - 1;
    let slot = Math.imul(key, SPREAD) >>> this.shift;
    while (this.keys[slot] !== key && this.keys[slot] !== NOTHING) slot = (slot + 1) & last;
    return slot;
  }
}
