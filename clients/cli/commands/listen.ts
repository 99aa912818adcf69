import { type Command, InvalidArgumentError } from 'commander'
import { type EventType, Nameplate } from '../client.ts'
import { type Connection, getConnection } from '../connection.ts'
import { forwardEvents } from '../listen/forward-events.ts'
import { ListenOutput } from '../listen/listen-output.ts'
import { wantsJson } from '../output.ts'

interface ListenOptions {
  forwardTo: URL
  signalType: string
  apiKey?: string
  apiUrl?: URL
}

export function addListenCommand(program: Command): void {
  program
    .command('listen')
    .description("bring your account's events to a port of this machine while you develop a webhook receiver")
    .requiredOption('--forward-to <address>', 'of your receiver, such as http://localhost:3000/hooks', parseAddress)
    .option('--signal-type <type>', 'one type of signal, all of them, or resolution_completed', 'all')
    .option('--api-key <key>', 'the test key for test events, the live key for real ones; the key of your login')
    .option('--api-url <address>', 'of the API; the address of your login', parseAddress)
    .option('--json', 'a JSON object a line')
    .addHelpText('after', AFTER_HELP)
    .action(async (options: ListenOptions, command: Command) => {
      const given: Partial<Connection> = {}
      if (options.apiKey !== undefined) given.apiKey = options.apiKey
      if (options.apiUrl !== undefined) given.baseUrl = options.apiUrl.origin
      await listen(options, getConnection(given), new ListenOutput({ json: wantsJson(command) }))
    })
}

const AFTER_HELP = `
It prints the secret to verify with, and then a line for each event with what your receiver answered. Bytes, headers and
signature are those of a real delivery. While your receiver is down, events wait; Ctrl-C ends it. The documentation of
webhooks shows receivers in several languages.

Examples:
  nameplate listen --forward-to localhost:3000/hooks --api-key "<your test key>"
  curl -X POST -H "X-API-Key: <your test key>" https://api.example.com/v1/test/signals     makes something happen`

const CLOSE_TIMEOUT_MS = 5_000

async function listen(
  { forwardTo: url, signalType }: ListenOptions,
  connection: Connection,
  output: ListenOutput,
): Promise<void> {
  // Failures are reported and repeated by forwardEvents, so that people see them.
  const nameplate = new Nameplate({ ...connection, retriesMax: 0 })
  const { signal, dispose } = abortOnInterrupt()
  try {
    const { id, secret } = await nameplate.listeners.open(signalType as EventType, { signal })
    if (!secret) throw new Error(`What answers at ${connection.baseUrl} is not this API.`)
    output.listening({ to: url, signalType, secret })
    try {
      await forwardEvents({ nameplate, listenerId: id, receiver: { url, secret }, output, signal })
    } finally {
      // A listener that cannot be closed, because the service is away, ends by itself in five minutes.
      await nameplate.listeners.close(id, { signal: AbortSignal.timeout(CLOSE_TIMEOUT_MS) }).catch(() => undefined)
    }
  } catch (error) {
    if (!signal.aborted) throw error
    output.stopped()
  } finally {
    dispose()
  }
}

/** The first interrupt ends the command in order; a second one ends the process at once. */
function abortOnInterrupt(): { signal: AbortSignal; dispose: () => void } {
  const stop = new AbortController()
  const interrupt = () => (stop.signal.aborted ? process.exit(1) : stop.abort())
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt)
  return { signal: stop.signal, dispose: () => process.off('SIGINT', interrupt).off('SIGTERM', interrupt) }
}

/** Takes addresses as people write them: `localhost:3000/hooks` and `3000` will do. */
function parseAddress(text: string): URL {
  const written = /^\d+$/.test(text) ? `localhost:${text}` : text
  const url = URL.parse(/^[a-z]+:\/\//i.test(written) ? written : `http://${written}`)
  if (url && ['http:', 'https:'].includes(url.protocol)) return url
  throw new InvalidArgumentError('It must be an http address, such as http://localhost:3000/hooks.')
}
