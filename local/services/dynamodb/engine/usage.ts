export interface Units {
  readUnits: number;
  writeUnits: number;
}

const WRITE_UNIT_BYTES = 1_024;
const READ_UNIT_BYTES = 4_096;

/** Request units by DynamoDB's rules: 1 KB a write, 4 KB a read, half a unit if not consistent. */
export class Usage {
  private readonly tables = new Map<string, Units>();

  read(table: string, bytes: number, consistent: boolean): void {
    const units = Math.max(1, Math.ceil(bytes / READ_UNIT_BYTES));
    this.unitsOf(table).readUnits += consistent ? units : units / 2;
  }

  write(table: string, bytes: number): void {
    this.unitsOf(table).writeUnits += Math.max(1, Math.ceil(bytes / WRITE_UNIT_BYTES));
  }

  of(table?: string): Units {
    if (table !== undefined) return { ...this.unitsOf(table) };
    const total = { readUnits: 0, writeUnits: 0 };
    for (const { readUnits, writeUnits } of this.tables.values()) {
      total.readUnits += readUnits;
      total.writeUnits += writeUnits;
    }
    return total;
  }

  private unitsOf(table: string): Units {
    let units = this.tables.get(table);
    if (!units) this.tables.set(table, (units = { readUnits: 0, writeUnits: 0 }));
    return units;
  }
}
