/**
 * Identifiers that look like the register's. They follow from where they come from and their order, so a run repeats
 * itself; with another origin they never meet, so a restarted simulator does not give an old id to something new.
 */
import { createHash } from 'node:crypto'

/** 12 digits instead of today's 10, or ids of a large register would collide. */
const TRANSACTIONS_FROM = 100_000_000_000
const TRANSACTIONS_RANGE = 900_000_000_000

export class Identifiers {
  readonly #origin: string
  #counter = 0

  constructor(origin: string) {
    this.#origin = origin
  }

  /** 40 hexadecimal digits; another one on every call, as the register renews it on every write. */
  etag(): string {
    return this.#digest('etag').toString('hex')
  }

  /** Returns an id of an appointment, officer, charge or PSC: an unpadded base64url SHA-1. */
  recordId(): string {
    return this.#digest('record').toString('base64url')
  }

  transactionId(): string {
    const ordinal = TRANSACTIONS_FROM + (this.#digest('transaction').readUIntBE(0, 6) % TRANSACTIONS_RANGE)
    return Buffer.from(`${ordinal}adiqzkcx`).toString('base64').replaceAll('=', '')
  }

  /** The leading X says that it was filed electronically. */
  barcode(): string {
    return `X${this.#digest('barcode').readUIntBE(0, 6).toString(36).toUpperCase().padStart(7, '0').slice(0, 7)}`
  }

  #digest(purpose: string): Buffer {
    this.#counter += 1
    return createHash('sha1').update(`${this.#origin}:${purpose}:${this.#counter}`).digest()
  }
}
