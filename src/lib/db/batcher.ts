/** Writes the items of many callers together: those that are added while a batch is written go into the next one. */
export class Batcher<Item, Result> {
  readonly #itemsMax: number
  #waiting: Array<{ item: Item; resolve: (result: Result) => void; reject: (error: unknown) => void }> = []
  #isWriting = false

  constructor(options: { itemsMax: number }) {
    this.#itemsMax = options.itemsMax
  }

  /** Returns what `write` returned for the batch with this item. All callers pass the same `write`. */
  add(item: Item, write: (items: Item[]) => Promise<Result>): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    this.#waiting.push({ item, resolve, reject })
    if (!this.#isWriting) void this.#writeAll(write)
    return promise
  }

  async #writeAll(write: (items: Item[]) => Promise<Result>): Promise<void> {
    this.#isWriting = true
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, this.#itemsMax)
      try {
        const result = await write(batch.map(({ item }) => item))
        for (const { resolve } of batch) resolve(result)
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    this.#isWriting = false
  }
}
