import { type Command, InvalidArgumentError, Option } from 'commander'
import { ConfigError } from '../../config.ts'
import { DomainError } from '../../errors.ts'
import type { Assembly } from './assembly.ts'
import { forwardEvents } from './forward-events.ts'
import { createAgent } from './http-exchange.ts'
import { ListenOutput } from './listen-output.ts'
import { ListenerClient } from './listener-client.ts'

interface ListenOptions {
  forwardTo: URL
  signalType: string
  apiKey: string
  apiUrl?: URL
  json?: boolean
}

/** A client like any other: it speaks to the public API, and needs neither database nor settings of the service. */
export function addListenCommand(program: Command, assembly: Pick<Assembly, 'loadConfig'>): void {
  program
    .command('listen')
    .description("bring your account's events to a port of this machine while you develop a webhook receiver")
    .requiredOption('--forward-to <address>', 'of your receiver, such as http://localhost:3000/hooks', toAddress)
    .option('--signal-type <type>', 'one type of signal, all of them, or resolution_completed', 'all')
    .addOption(
      new Option('--api-key <key>', 'of your account: the test key for test events, the live key for real ones')
        .env('NAMEPLATE_API_KEY')
        .makeOptionMandatory(),
    )
    .addOption(
      new Option('--api-url <address>', 'of the API; the BASE_URL of the environment when left out')
        .env('NAMEPLATE_API_URL')
        .argParser(toAddress),
    )
    .option('--json', 'a JSON object a line')
    .addHelpText('after', AFTER_HELP)
    .action(async (options: ListenOptions) => listen(options, options.apiUrl ?? getConfiguredUrl(assembly)))
}

const AFTER_HELP = `
It prints the secret to verify with, and then a line for each event with what your receiver answered. Bytes, headers and
signature are those of a real delivery. While your receiver is down, events wait; Ctrl-C ends it. docs/webhooks.md shows
receivers in several languages.

Examples:
  nameplate listen --forward-to localhost:3000/hooks --api-key "<your test key>"
  curl -X POST -H "X-API-Key: <your test key>" http://localhost:4000/v1/test/signals     makes something happen`

async function listen({ forwardTo: to, signalType, apiKey, json }: ListenOptions, apiUrl: URL): Promise<void> {
  const say = new ListenOutput({ json: json === true })
  const client = new ListenerClient({ apiUrl, apiKey: parseApiKey(apiKey) })
  const agent = createAgent()
  const { signal, dispose } = untilInterrupted()
  try {
    const listener = await client.open(signalType, signal)
    say.listening({ to, signalType, secret: listener.secret })
    try {
      await forwardEvents({ client, agent, listener, to, say, signal })
    } finally {
      // One that cannot be closed, as the service is away, ends by itself in five minutes.
      await client.close(listener.id).catch(() => undefined)
    }
  } catch (error) {
    if (!signal.aborted) throw error
    say.stopped()
  } finally {
    dispose()
    await Promise.all([client.end(), agent.destroy()])
  }
}

/** The first signal ends it in order; a second one ends the process at once. */
function untilInterrupted(): { signal: AbortSignal; dispose: () => void } {
  const stop = new AbortController()
  const interrupt = () => (stop.signal.aborted ? process.exit(1) : stop.abort())
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt)
  return { signal: stop.signal, dispose: () => process.off('SIGINT', interrupt).off('SIGTERM', interrupt) }
}

function getConfiguredUrl({ loadConfig }: Pick<Assembly, 'loadConfig'>): URL {
  try {
    return loadConfig('command').baseUrl
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    throw new DomainError('invalid_request', 'Say where the API is, with --api-url or NAMEPLATE_API_URL.')
  }
}

function parseApiKey(text: string): string {
  const key = text.trim()
  if (/^[\x21-\x7e]+$/.test(key)) return key
  throw new DomainError('invalid_credentials', 'This is not an API key. Copy it again from your login.')
}

/** As people write it: `localhost:3000/hooks` and `3000` will do. */
function toAddress(text: string): URL {
  const written = /^\d+$/.test(text) ? `localhost:${text}` : text
  const url = URL.parse(/^[a-z]+:\/\//i.test(written) ? written : `http://${written}`)
  if (url && ['http:', 'https:'].includes(url.protocol)) return url
  throw new InvalidArgumentError('It must be an http address, such as http://localhost:3000/hooks.')
}
