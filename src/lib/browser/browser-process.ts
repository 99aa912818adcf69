/**
 * A browser for one page that no one trusts: a process of its own with a throwaway profile, without our environment, without a
 * network and without a port. It speaks the DevTools protocol over two pipes, and is killed with all its processes at the end.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { listFamily, readOwnBytes } from './family-memory.ts'

/** The page could not be shown within the limits, or the browser did not start. The message says what was exceeded. */
export class BrowserFailure extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'BrowserFailure'
  }
}

export interface BrowserLimits {
  timeMs: number
  /** All its processes together, without what they share. */
  memoryBytes: number
}

/** Nothing resolves, the proxy is a port that nothing listens on, and calls past a proxy are off: in both spellings, as each
 * build of Chromium knows only one of them. */
const NO_NETWORK = [
  '--host-resolver-rules=MAP * ~NOTFOUND',
  '--proxy-server=http://127.0.0.1:1',
  '--proxy-bypass-list=<-loopback>',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-domain-reliability',
  '--disable-sync',
  '--no-pings',
]
const PLAIN = [
  '--headless=new',
  '--remote-debugging-pipe',
  '--no-first-run',
  '--no-default-browser-check',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-extensions',
  '--disable-breakpad',
  '--disable-crash-reporter',
  '--disable-remote-fonts',
  '--mute-audio',
  '--hide-scrollbars',
  '--password-store=basic',
  '--js-flags=--jitless',
]
const MESSAGE_BYTES_MAX = 16_000_000
const WATCH_MS = 250

type Params = Record<string, unknown>
type Listener = (params: Params) => void
interface Waiting {
  resolve: (result: Params) => void
  reject: (error: Error) => void
}

export class BrowserProcess implements AsyncDisposable {
  readonly #child: ChildProcess
  readonly #profile: string
  readonly #waiting = new Map<number, Waiting>()
  readonly #listeners = new Map<string, Listener>()
  readonly #timers: NodeJS.Timeout[] = []
  #lastId = 0
  #received: Buffer[] = []
  #receivedBytes = 0
  #failure: BrowserFailure | null = null

  static async start(program: string, limits: BrowserLimits): Promise<BrowserProcess> {
    const profile = await mkdtemp(join(tmpdir(), 'nameplate-browser-'))
    return new BrowserProcess(program, profile, limits)
  }

  private constructor(program: string, profile: string, { timeMs, memoryBytes }: BrowserLimits) {
    this.#profile = profile
    this.#child = spawn(program, [...PLAIN, ...NO_NETWORK, `--user-data-dir=${profile}`, 'about:blank'], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
      // A group of its own, to be killed as a whole. Our settings and secrets are not for it.
      detached: true,
      cwd: profile,
      env: { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: profile, TMPDIR: profile, LANG: 'C.UTF-8' },
    })
    this.#child.on('error', (error) => this.#fail(`the browser did not start: ${error.message}`))
    this.#child.on('exit', () => this.#fail('the browser ended'))
    this.#input.on('error', () => this.#fail('the browser ended'))
    this.#output.on('error', () => this.#fail('the browser ended'))
    this.#output.on('data', (bytes: Buffer) => this.#receive(bytes))
    this.#timers.push(setTimeout(() => this.#fail(`the page took longer than ${timeMs} ms`), timeMs))
    this.#timers.push(setInterval(() => this.#watchMemory(memoryBytes), WATCH_MS))
  }

  /** Sends a command and returns its result. Throws `BrowserFailure` when the browser refuses it or is over a limit. */
  send(method: string, params: Params, sessionId?: string): Promise<Params> {
    if (this.#failure) return Promise.reject(this.#failure)
    this.#lastId += 1
    const id = this.#lastId
    const answered = new Promise<Params>((resolve, reject) => this.#waiting.set(id, { resolve, reject }))
    this.#input.write(`${JSON.stringify({ id, method, params, ...(sessionId ? { sessionId } : {}) })}\0`)
    return answered
  }

  /** One listener for each kind of event. */
  on(method: string, listener: Listener): void {
    this.#listeners.set(method, listener)
  }

  /** Returns when the event comes. */
  async until(method: string): Promise<void> {
    if (this.#failure) throw this.#failure
    this.#lastId += 1
    const id = this.#lastId
    const came = new Promise<Params>((resolve, reject) => this.#waiting.set(id, { resolve, reject }))
    this.on(method, () => this.#answer(id, ({ resolve }) => resolve({})))
    await came
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer)
    this.#fail('the browser was closed')
    await rm(this.#profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  }

  get #input(): Writable {
    return this.#child.stdio[3] as Writable
  }

  get #output(): Readable {
    return this.#child.stdio[4] as Readable
  }

  #watchMemory(bytesMax: number): void {
    const { pid } = this.#child
    if (pid !== undefined && readOwnBytes(listFamily(pid)) > bytesMax) this.#fail('the page took too much memory')
  }

  /** Ends everything that waits, and every process of the browser. */
  #fail(message: string): void {
    if (this.#failure) return
    this.#failure = new BrowserFailure(message)
    const { pid } = this.#child
    if (pid !== undefined) for (const one of [-pid, ...listFamily(pid)]) kill(one)
    for (const { reject } of this.#waiting.values()) reject(this.#failure)
    this.#waiting.clear()
  }

  #receive(bytes: Buffer): void {
    this.#received.push(bytes)
    this.#receivedBytes += bytes.byteLength
    if (this.#receivedBytes > MESSAGE_BYTES_MAX) return this.#fail('the browser said too much')
    if (!bytes.includes(0)) return
    const parts = Buffer.concat(this.#received).toString('utf8').split('\0')
    const rest = Buffer.from(parts.pop() ?? '')
    this.#received = [rest]
    this.#receivedBytes = rest.byteLength
    for (const text of parts) this.#take(JSON.parse(text) as Message)
  }

  #take({ id, method, params, result, error }: Message): void {
    if (method !== undefined) return this.#listeners.get(method)?.(params ?? {})
    if (id === undefined) return
    this.#answer(id, ({ resolve, reject }) =>
      error ? reject(new BrowserFailure(`the browser refused: ${error.message}`)) : resolve(result ?? {}),
    )
  }

  #answer(id: number, answer: (waiting: Waiting) => void): void {
    const waiting = this.#waiting.get(id)
    this.#waiting.delete(id)
    if (waiting) answer(waiting)
  }
}

interface Message {
  id?: number
  method?: string
  params?: Params
  result?: Params
  error?: { message: string }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}
