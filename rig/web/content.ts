/** The bytes of one answer, compressed at most once. */
import { gzipSync } from 'node:zlib'

export class Content {
  readonly bytes: Buffer
  #gzipped: Buffer | undefined

  constructor(bytes: Buffer) {
    this.bytes = bytes
  }

  gzipped(): Buffer {
    return (this.#gzipped ??= gzipSync(this.bytes))
  }
}

/** The files that were read last. What is compressed comes on top, and is never as large. */
export class ContentCache {
  readonly #bytesMax: number
  readonly #contents = new Map<string, Content>()
  #bytes = 0

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  async get(key: string, read: () => Promise<Buffer>): Promise<Content> {
    const known = this.#contents.get(key)
    if (known) return known
    const content = new Content(await read())
    if (!this.#contents.has(key)) this.#bytes += content.bytes.length
    this.#contents.set(key, content)
    this.#forgetOldest()
    return content
  }

  #forgetOldest(): void {
    for (const [key, content] of this.#contents) {
      if (this.#bytes <= this.#bytesMax) return
      this.#contents.delete(key)
      this.#bytes -= content.bytes.length
    }
  }
}
