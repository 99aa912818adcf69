/**
 * The network between the nodes. Each reaches etcd through a link of its own, and the others' PostgreSQL through a link
 * before each, where the name in PostgreSQL's first message identifies the caller. A node that is cut off receives nothing:
 * its connections stay open and silent, as when a cable is pulled.
 */

import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'

export class Network {
  readonly #cutOff = new Set<string>()
  readonly #links: Link[] = []

  async openLink(options: LinkOptions): Promise<number> {
    const link = new Link(options, (name) => this.#cutOff.has(name))
    this.#links.push(link)
    return link.listen()
  }

  cut(name: string): void {
    this.#cutOff.add(name)
    for (const link of this.#links) link.apply()
  }

  /** Resets the connections from before: bytes that were sent meanwhile are lost. */
  heal(name: string): void {
    this.#cutOff.delete(name)
    for (const link of this.#links) link.drop(name)
  }

  async close(): Promise<void> {
    await Promise.all(this.#links.map((link) => link.close()))
  }
}

interface LinkOptions {
  /** Tried in turn. */
  ports: readonly number[]
  /** The node whose link it is: it is cut with it. */
  owner: string
  /** PostgreSQL's callers say who they are. */
  callersSayTheirName: boolean
}

interface Connection {
  near: Socket
  far: Socket
  ends: string[]
}

class Link {
  readonly #options: LinkOptions
  readonly #isCutOff: (name: string) => boolean
  readonly #connections = new Set<Connection>()
  readonly #server: Server

  constructor(options: LinkOptions, isCutOff: (name: string) => boolean) {
    this.#options = options
    this.#isCutOff = isCutOff
    this.#server = createServer((near) => {
      near.on('error', () => near.destroy())
      void this.#carry(near).catch(() => near.destroy())
    })
  }

  async listen(): Promise<number> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    const address = this.#server.address()
    return typeof address === 'object' && address ? address.port : 0
  }

  async #carry(near: Socket): Promise<void> {
    const { owner, callersSayTheirName } = this.#options
    const [first] = callersSayTheirName ? ((await once(near, 'data')) as [Buffer]) : []
    near.pause()
    const far = await this.#dial()
    const connection: Connection = { near, far, ends: [owner, ...(first ? [readCaller(first)] : [])] }
    this.#connections.add(connection)
    const end = () => {
      near.destroy()
      far.destroy()
      this.#connections.delete(connection)
    }
    for (const socket of [near, far]) socket.on('close', end).on('error', end)
    if (first) far.write(first)
    near.on('data', (chunk) => pass(chunk, near, far))
    far.on('data', (chunk) => pass(chunk, far, near))
    this.apply()
  }

  async #dial(): Promise<Socket> {
    for (const port of this.#options.ports) {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true })
      try {
        await once(socket, 'connect')
        return socket
      } catch {
        socket.destroy()
      }
    }
    throw new Error('the other end does not listen')
  }

  apply(): void {
    for (const { near, far, ends } of this.#connections) {
      const isSilent = ends.some(this.#isCutOff)
      for (const socket of [near, far]) {
        if (isSilent) socket.pause()
        else socket.resume()
      }
    }
  }

  drop(name: string): void {
    for (const { near, far, ends } of this.#connections) {
      if (!ends.includes(name)) continue
      near.destroy()
      far.destroy()
    }
  }

  async close(): Promise<void> {
    for (const { near, far } of this.#connections) {
      near.destroy()
      far.destroy()
    }
    this.#server.close()
  }
}

function pass(chunk: Buffer, from: Socket, to: Socket): void {
  if (to.write(chunk)) return
  from.pause()
  to.once('drain', () => from.resume())
}

/** From the start-up message: pairs of names and values after its length and version, each ended by a zero. */
function readCaller(message: Buffer): string {
  const words = message.subarray(8).toString('latin1').split('\0')
  const index = words.indexOf('application_name')
  return index < 0 ? '' : (words[index + 1] ?? '')
}
