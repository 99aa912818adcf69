/** A process that reads slowly, by one of our ways out, from a peer that closes its connection; says `alive` when it is. */
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDownload } from './download.ts'
import { GuardedClient, type SimulatedWeb } from './guarded-client.ts'
import { openLineStream } from './line-stream.ts'
import { sendRequest } from './net.ts'
import { protectGlobalFetch } from './outgoing-fetch.ts'

const [way = '', address = '', simulated = ''] = process.argv.slice(2)
const ROUNDS = 5
const PAUSE_MS = 3
const UNREAD_MS = 400

async function readSlowly(body: AsyncIterable<unknown>): Promise<void> {
  let count = 0
  for await (const _ of body) if ((count += 1) < 200) await sleep(PAUSE_MS)
}

async function readGlobally(): Promise<void> {
  const { body } = await fetch(address)
  if (body) await readSlowly(Readable.fromWeb(body))
}

const WAYS: Record<string, () => Promise<unknown>> = {
  stream: async () => {
    const { signal } = new AbortController()
    const stream = await openLineStream(new URL(address), {
      headers: {},
      silenceMsMax: 5_000,
      lineBytesMax: 1_000,
      signal,
    })
    if (stream.kind === 'open') await readSlowly(stream.lines)
  },
  download: async () => readSlowly(await openDownload(address)),
  'unread download': async () => {
    await openDownload(address)
    await sleep(UNREAD_MS)
  },
  request: () => sendRequest(new URL(address), { timeoutMs: 5_000, bodyBytesMax: 1_000 }).catch(() => null),
  guarded: async () => {
    const web = new GuardedClient({
      userAgent: 'test',
      dnsServers: [],
      simulated: JSON.parse(simulated) as SimulatedWeb,
    })
    const session = web.openSession()
    const url = 'http://peer.example/'
    const bounds = { timeoutMs: 5_000, bodyBytesMax: 1_000, whenTooLarge: 'cut' } as const
    await session.send(url, bounds)
    await session.send(url, { ...bounds, accepts: () => false })
    await session.send(url, { ...bounds, bodyBytesMax: 4_000_000 })
    await web.close()
  },
  library: async () => {
    protectGlobalFetch()
    await readGlobally()
  },
}

// The peer wins by timing: one request of several is enough.
for (let round = 0; round < ROUNDS; round += 1) await WAYS[way]?.()
await sleep(UNREAD_MS)
process.stdout.write('alive\n')
process.exit()
