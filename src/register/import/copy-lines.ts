/**
 * Lines for COPY, in memory that is used again. A text of all lines of a piece would be flattened and encoded in buffers of its
 * own, for which the collector reads the whole heap again and again.
 */
export class CopyLines {
  #memory = Buffer.allocUnsafeSlow(2 << 20)
  #length = 0

  /** The line has its end. */
  add(line: string): void {
    const most = this.#length + line.length * BYTES_PER_UNIT_MAX
    if (most > this.#memory.length) this.#memory = Buffer.concat([this.#memory], 2 * most)
    this.#length += this.#memory.write(line, this.#length)
  }

  /** The lines, only until `clear`. */
  get bytes(): Buffer {
    return this.#memory.subarray(0, this.#length)
  }

  clear(): void {
    this.#length = 0
  }
}

/** A unit of UTF-16 takes at most three bytes of UTF-8. */
const BYTES_PER_UNIT_MAX = 3
