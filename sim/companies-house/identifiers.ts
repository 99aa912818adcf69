/** Identifiers that look like the register's and come out the same on every run. */
import { createHash } from 'node:crypto'

const FIRST_TRANSACTION = 3_398_929_636

export class Identifiers {
  #counter = 0

  /** 40 hexadecimal digits; another one on every call, as the register renews it on every write. */
  etag(): string {
    return this.#digest('etag').toString('hex')
  }

  /** Of an appointment, officer, charge or PSC: an unpadded base64url SHA-1. */
  recordId(): string {
    return this.#digest('record').toString('base64url')
  }

  transactionId(): string {
    this.#counter += 1
    return toTransactionId(FIRST_TRANSACTION + this.#counter)
  }

  /** The leading X says that it was filed electronically. */
  barcode(): string {
    this.#counter += 1
    return `X${this.#counter.toString(36).toUpperCase().padStart(7, 'D')}`
  }

  #digest(purpose: string): Buffer {
    this.#counter += 1
    return createHash('sha1').update(`${purpose}:${this.#counter}`).digest()
  }
}

export function toTransactionId(ordinal: number): string {
  return Buffer.from(`${ordinal}adiqzkcx`).toString('base64').replaceAll('=', '')
}
