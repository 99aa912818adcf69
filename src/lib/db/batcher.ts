interface BatcherOptions {
  /** How many batches may be under way at once. What is added meanwhile goes into the next one. */
  slots: number
  itemsMax: number
}

type Handle<Item, Result> = (items: Item[]) => Promise<readonly Result[]>

/**
 * Sends the items of many callers as one statement. No caller waits for others: an item that finds a free slot is sent as
 * soon as the event loop goes on, alone if it must be. Every statement starts after its items were added, so a
 * caller sees everything that was committed before it asked.
 */
export class Batcher<Item, Result> {
  readonly #options: BatcherOptions
  #waiting: Array<{ item: Item; resolve: (result: Result) => void; reject: (error: unknown) => void }> = []
  #underWay = 0
  #isPlanned = false

  constructor(options: BatcherOptions) {
    this.#options = options
  }

  /**
   * Returns what `handle` returned for this item. It gets the items in the order they were added, and returns as many
   * results in the same order; when it throws, every caller of the batch gets the error. All callers pass the same `handle`.
   */
  add(item: Item, handle: Handle<Item, Result>): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    this.#waiting.push({ item, resolve, reject })
    this.#plan(handle)
    return promise
  }

  /** All items that are added before the event loop goes on are sent together. */
  #plan(handle: Handle<Item, Result>): void {
    if (this.#isPlanned || this.#underWay >= this.#options.slots) return
    this.#isPlanned = true
    setImmediate(() => {
      this.#isPlanned = false
      while (this.#waiting.length > 0 && this.#underWay < this.#options.slots) void this.#send(handle)
    })
  }

  async #send(handle: Handle<Item, Result>): Promise<void> {
    const batch = this.#waiting.splice(0, this.#options.itemsMax)
    this.#underWay += 1
    try {
      const results = await handle(batch.map(({ item }) => item))
      if (results.length !== batch.length) throw new Error(`${results.length} results for ${batch.length} items`)
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result)
    } catch (error) {
      for (const { reject } of batch) reject(error)
    } finally {
      this.#underWay -= 1
      if (this.#waiting.length > 0) this.#plan(handle)
    }
  }
}
