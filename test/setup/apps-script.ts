/**
 * Runs a script for Google Sheets as Google does: in a context of its own with the few services that it uses. A script waits for
 * its requests, so it runs in a thread that sleeps until this thread has fetched the responses over the network.
 */
import { Worker } from 'node:worker_threads'
import type { SheetSetting } from './apps-script-thread.ts'

export interface PlayedSheet {
  /** Calls a function of the script, as a cell or a menu does. */
  call(name: string, ...given: unknown[]): Promise<unknown>
  /** The cells of the sheet, from its first row and column. */
  readCells(): Promise<unknown[][]>
  /** The person edits the sheet: these are its cells from here on. */
  editCells(cells: unknown[][]): Promise<unknown>
  rename(name: string): Promise<unknown>
  /** The reply to the next window that asks. */
  reply(reply: string): Promise<unknown>
  /** Texts of the windows that were shown since the last look. */
  takeAlerts(): Promise<string[]>
  /** All requests to the network. */
  readonly sent: SentRequest[]
  close(): Promise<void>
}

export interface SentRequest {
  url: string
  method: string
  headers: Record<string, string>
  payload?: string
}

interface Message {
  id: number
  requests?: SentRequest[]
  result?: unknown
  error?: string
}

export function playSheet(setting: SheetSetting): PlayedSheet {
  const flag = new SharedArrayBuffer(4)
  const { port1, port2 } = new MessageChannel()
  const worker = new Worker(new URL('./apps-script-thread.ts', import.meta.url), {
    workerData: { setting, flag, port: port2 },
    transferList: [port2 as never],
  })
  const sent: SentRequest[] = []
  const waiting = new Map<number, (message: Message) => void>()
  let calls = 0
  const fetchFor = async (requests: SentRequest[]) => {
    sent.push(...requests)
    port1.postMessage(await Promise.all(requests.map(send)))
    Atomics.store(new Int32Array(flag), 0, 1)
    Atomics.notify(new Int32Array(flag), 0)
  }
  worker.on('message', (message: Message) => {
    if (message.requests) void fetchFor(message.requests)
    else waiting.get(message.id)?.(message)
  })
  const ask = async (name: string, given: unknown[]): Promise<unknown> => {
    calls += 1
    const reply = new Promise<Message>((resolve) => waiting.set(calls, resolve))
    worker.postMessage({ id: calls, name, given })
    const { result, error } = await reply
    if (error !== undefined) throw new Error(error)
    return result
  }
  return {
    sent,
    call: (name, ...given) => ask(name, given),
    readCells: async () => (await ask(':cells', [])) as unknown[][],
    editCells: (cells) => ask(':edit', [cells]),
    rename: (name) => ask(':rename', [name]),
    reply: (reply) => ask(':reply', [reply]),
    takeAlerts: async () => (await ask(':alerts', [])) as string[],
    async close() {
      port1.close()
      await worker.terminate()
    },
  }
}

async function send({ url, method, headers, payload }: SentRequest) {
  const response = await fetch(url, { method, headers, ...(payload === undefined ? {} : { body: payload }) })
  return { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() }
}
