import { Readable } from 'node:stream'
import { outgoingFetch } from './outgoing-fetch.ts'

/** The server has nothing at this address. */
export class NothingThere extends Error {}

/** The body of an address an operator named, as a stream. It is theirs to name, so any address will do. */
export async function openDownload(url: string): Promise<Readable> {
  const response = await outgoingFetch(url)
  if (response.status === 404) throw new NothingThere(`${url} answered 404`)
  if (!response.ok || !response.body) throw new Error(`${url} answered ${response.status}`)
  return Readable.fromWeb(response.body)
}
