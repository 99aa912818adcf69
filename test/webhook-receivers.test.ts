/** The programs in docs/webhooks.md work: they run unchanged, on deliveries that the service made. */
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { putCompanies } from '../rig/companies.ts'
import { type ReceivedRequest, Receiver } from '../rig/web/index.ts'
import { recordQueuedChanges } from '../src/signals/index.ts'
import { getProgram, listProgramsIn, WEBHOOKS_DOCUMENT, withTolerance } from './receivers/documented-programs.ts'
import {
  type Delivery,
  isInstalled,
  type RunningProgram,
  runScript,
  startReceiver,
} from './receivers/running-program.ts'
import { ALDER } from './setup/companies.ts'
import { testConfig } from './setup/config.ts'
import { useTestService } from './setup/harness.ts'

const HOST = 'hooks.alderfinch.co.uk'
const VERIFIERS = [
  { language: 'Node', file: 'receiver.mjs', tool: 'node' },
  { language: 'Python', file: 'receiver.py', tool: 'python3' },
  { language: 'PHP', file: 'receiver.php', tool: 'php' },
  { language: 'Go', file: 'receiver.go', tool: 'go' },
  { language: 'Shell', file: 'verify.sh', tool: 'openssl' },
]

const receiver = new Receiver()
const it = useTestService({ companies: [ALDER], sites: { [HOST]: { receiver } } })
/** A delivery, and one from the time when both secrets sign; with the secrets from before and after the rotation. */
let delivered: { plain: Delivery; rotating: Delivery; oldSecret: string; newSecret: string }

beforeAll(async () => {
  const { key } = await it.openAccount()
  await it.call('POST', '/v1/watchlist', { key, body: { company_number: ALDER.number } })
  const body = { webhook_url: `https://${HOST}/nameplate`, signal_type: 'all' }
  const { body: destination } = await it.call('POST', '/v1/partner/webhooks', { key, body })
  // Letters outside of ASCII, so that a verifier which decodes the bytes before it verifies them fails.
  const renamed = { ...ALDER, name: 'ALDERFINCH CAFÉ & JOINERY – RIPON LIMITED' }
  const plain = await changeTo(renamed, 1)
  const { body: rotated } = await it.call('POST', `/v1/partner/webhooks/${destination.id}/rotate-secret`, { key })
  const rotating = await changeTo({ ...renamed, status: 'liquidation' }, 2)
  delivered = { plain, rotating, oldSecret: destination.secret, newSecret: rotated.secret }
})

/** Changes a company in the register and returns the delivery. */
async function changeTo(company: typeof ALDER & { status?: string }, arrived: number): Promise<Delivery> {
  await putCompanies(it.app, [company])
  await recordQueuedChanges(it.app)
  await receiver.waitFor(arrived)
  expect(receiver.received).toHaveLength(arrived)
  const { headers, rawBody } = receiver.received[arrived - 1] as ReceivedRequest
  return { headers, body: rawBody }
}

/** Signs by the documented rule, without the service's code. */
function signed({ headers, body }: Delivery, secret: string, ageSeconds = 0): Delivery {
  const timestamp = String(Math.floor(Date.now() / 1_000) - ageSeconds)
  const signature = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex')
  const trio = {
    'webhook-timestamp': timestamp,
    'webhook-signature': new Webhook(secret).sign(
      headers['webhook-id'] ?? '',
      new Date(Number(timestamp) * 1_000),
      body,
    ),
  }
  return { headers: { ...headers, 'x-webhook-timestamp': timestamp, 'x-webhook-signature': signature, ...trio }, body }
}

function without({ headers, body }: Delivery, ...names: string[]): Delivery {
  return { headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name))), body }
}

function withHeader({ headers, body }: Delivery, name: string, value: string): Delivery {
  return { headers: { ...headers, [name]: value }, body }
}

/** One bit of one letter in the middle. */
function changed({ headers, body }: Delivery): Delivery {
  const other = Buffer.from(body)
  other.writeUInt8(other.readUInt8(other.length >> 1) ^ 1, other.length >> 1)
  return { headers, body: other }
}

interface SignalEvent {
  type: string
  signal_type: string
  api_version: string
  data: Record<string, unknown>
}

const anotherSecret = `whsec_${Buffer.alloc(32, 9).toString('base64')}`

/** None of these may be accepted by a receiver that has the old secret. */
const FORGERIES: Array<[string, (real: Delivery, secret: string) => Delivery]> = [
  ['with one byte of the body changed', changed],
  ['signed with a wrong secret', (real) => signed(real, anotherSecret)],
  ['ten minutes old, though signed with the right secret', (real, secret) => signed(real, secret, 600)],
  ['from ten minutes ahead, though signed with the right secret', (real, secret) => signed(real, secret, -600)],
  ['with a fresher timestamp than was signed', (real) => withHeader(real, 'x-webhook-timestamp', nextSecond(real))],
  ['without a timestamp', (real) => without(real, 'x-webhook-timestamp')],
  ['with words for a timestamp', (real) => withHeader(real, 'x-webhook-timestamp', 'now')],
  ['without a signature', (real) => without(real, 'x-webhook-signature')],
  ['with an empty signature', (real) => withHeader(real, 'x-webhook-signature', '')],
  ['with part of the signature', (real) => withHeader(real, 'x-webhook-signature', signatureOf(real).slice(0, 63))],
  ['with letters that are not hex', (real) => withHeader(real, 'x-webhook-signature', 'é'.repeat(64))],
]

const signatureOf = ({ headers }: Delivery) => headers['x-webhook-signature'] ?? ''
const nextSecond = ({ headers }: Delivery) => String(Number(headers['x-webhook-timestamp']) + 1)

const VECTOR = {
  secret: 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=',
  body: '{"id":"evt_1","type":"ping","created":"2026-01-01T00:00:00Z","data":{}}',
  headers: {
    'content-type': 'application/json; charset=utf-8',
    'x-webhook-id': 'evt_1',
    'x-webhook-timestamp': '1767225600',
    'x-webhook-signature': '04ade7c7203316f74b6feb7432dd7c0a41b5eaf7cb5755c5349759f886d26ece',
  },
}
const vector: Delivery = { headers: VECTOR.headers, body: Buffer.from(VECTOR.body) }
const YEARS_100_SECONDS = 3_155_760_000

/** Node, PHP and the others listen; the shell's verifier runs once for each delivery. */
async function start(file: string, secret: string, toleranceSeconds?: number): Promise<RunningProgram> {
  const written = getProgram(file)
  const program = toleranceSeconds === undefined ? written : withTolerance(written, toleranceSeconds)
  if (file !== 'verify.sh') return startReceiver(program, secret)
  let printed = ''
  const accepts = async ({ headers, body }: Delivery) => {
    const names = ['x-webhook-timestamp', 'x-webhook-signature', 'x-webhook-signature-previous']
    const args = (bodyFile: string) => [bodyFile, ...names.map((name) => headers[name] ?? '')]
    const { code, output } = await runScript(program, { secret, body, args })
    printed += output
    if (code !== 0 && code !== 1) throw new Error(`verify.sh ended with ${code}: ${output}`)
    return code === 0
  }
  return { port: 0, accepts, printed: () => printed, [Symbol.asyncDispose]: async () => undefined }
}

const isCi = process.env['CI'] === 'true'
const missing = VERIFIERS.filter(({ tool }) => !isInstalled(tool)).map(({ tool }) => tool)
if (missing.length > 0 && !isCi)
  console.warn(`Not installed here: ${missing.join(', ')}. Their programs are not tried.`)

// On a developer's machine a missing language is skipped; in CI it fails.
describe.each(VERIFIERS.filter(({ tool }) => isCi || !missing.includes(tool)))('$language', ({ language, file }) => {
  let program: RunningProgram
  beforeAll(async () => {
    program = await start(file, delivered.oldSecret)
  })
  afterAll(() => program[Symbol.asyncDispose]())

  test('accepts what the service delivers', async () => {
    expect(await program.accepts(delivered.plain)).toBe(true)
    const { id } = JSON.parse(String(delivered.plain.body)) as { id: string }
    await expect.poll(() => program.printed()).toContain(language === 'Shell' ? 'genuine' : `${id} signal`)
    expect(await program.accepts(signed(delivered.plain, delivered.oldSecret, 240)), 'four minutes old').toBe(true)
  })

  test.each(FORGERIES)('refuses a delivery %s', async (_, forge) => {
    expect(await program.accepts(forge(delivered.plain, delivered.oldSecret))).toBe(false)
  })

  test('accepts the old and the new secret while the secret is rotated', async () => {
    expect(await program.accepts(delivered.rotating)).toBe(true)
    expect(await program.accepts(changed(delivered.rotating))).toBe(false)
    expect(await program.accepts(without(delivered.rotating, 'x-webhook-signature-previous'))).toBe(false)
    await using moved = await start(file, delivered.newSecret)
    expect(await moved.accepts(delivered.rotating)).toBe(true)
    expect(await moved.accepts(without(delivered.rotating, 'x-webhook-signature-previous'))).toBe(true)
    expect(await moved.accepts(delivered.plain), 'signed before there was a new secret').toBe(false)
  })

  test('accepts the test vector, once its age is allowed', async () => {
    await using patient = await start(file, VECTOR.secret, YEARS_100_SECONDS)
    expect(await patient.accepts(vector)).toBe(true)
    expect(await patient.accepts(changed(vector))).toBe(false)
    await using strict = await start(file, VECTOR.secret)
    expect(await strict.accepts(vector)).toBe(false)
  })

  test('accepts nothing when it was given no secret', async () => {
    // An HMAC can be keyed with nothing at all, and then every sender can sign.
    const unsigned = signedWithNothing(delivered.plain)
    const outcome = start(file, '').then(async (open) => {
      await using running = open
      return await running.accepts(unsigned)
    })
    expect(await outcome.catch((error: unknown) => String(error))).toMatch(/Set WEBHOOK_SECRET|answered 500|ended with/)
  })

  if (language === 'Shell') return
  test('survives a sender that disconnects in the middle, or sends without end', async () => {
    const half = connect(program.port, '127.0.0.1')
    await once(half, 'connect')
    half.write('POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 5000\r\n\r\n{"id":')
    half.destroy()
    const endless = { ...delivered.plain, body: Buffer.alloc(5_000_000, 'a') }
    expect(await program.accepts(endless).catch(() => false)).toBe(false)
    expect(await program.accepts(delivered.plain)).toBe(true)
  })
})

function signedWithNothing({ headers, body }: Delivery): Delivery {
  const timestamp = String(Math.floor(Date.now() / 1_000))
  const signature = createHmac('sha256', '').update(`${timestamp}.`).update(body).digest('hex')
  return { headers: { ...headers, 'x-webhook-timestamp': timestamp, 'x-webhook-signature': signature }, body }
}

describe('the package standardwebhooks', () => {
  const verify = ({ headers, body }: Delivery, secret: string) => new Webhook(secret).verify(body, headers)

  test('verifies what the service delivers, with either secret while it is rotated', () => {
    const { plain, rotating, oldSecret, newSecret } = delivered
    expect(verify(plain, oldSecret)).toMatchObject({ type: 'signal', signal_type: 'name_changed' })
    expect(verify(rotating, newSecret)).toMatchObject({ type: 'signal', signal_type: 'status_changed' })
    expect(verify(rotating, oldSecret)).toEqual(verify(rotating, newSecret))
    expect(() => verify(plain, newSecret)).toThrow('No matching signature')
  })

  test.each([
    ['one byte of the body is changed', changed, 'No matching signature'],
    ['the secret is wrong', (real: Delivery) => signed(real, anotherSecret), 'No matching signature'],
    ['it is ten minutes old', (real: Delivery) => signed(real, delivered.oldSecret, 600), 'too old'],
    ['its id is another', (real: Delivery) => withHeader(real, 'webhook-id', 'evt_2'), 'No matching signature'],
    ['a header is missing', (real: Delivery) => without(real, 'webhook-signature'), 'Missing required headers'],
  ])('refuses when %s', (_, forge, message) => {
    expect(() => verify(forge(delivered.plain), delivered.oldSecret)).toThrow(message)
  })
})

test('a delivery made by hand with openssl and curl is accepted, and refused with another secret', async () => {
  await using program = await start('receiver.mjs', VECTOR.secret)
  const send = (secret: string) =>
    runScript(getProgram('send.sh'), {
      secret,
      body: vector.body,
      args: (bodyFile) => [`http://127.0.0.1:${program.port}/hooks`, bodyFile],
    })
  expect(await send(VECTOR.secret)).toEqual({ code: 0, output: '204\n' })
  expect(await send(anotherSecret)).toEqual({ code: 0, output: '400\n' })
})

describe('the document', () => {
  const cells = (row: string) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim())
  const rowAfter = (start: string) => cells(WEBHOOKS_DOCUMENT.split('\n').find((line) => line.startsWith(start)) ?? '')
  const membersOf = (value: unknown): unknown =>
    value !== null && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, membersOf(member)]))
      : Array.isArray(value)
        ? value.map(membersOf)
        : typeof value

  test('has every program that is tried here, and no other', () => {
    const files = listProgramsIn(WEBHOOKS_DOCUMENT).map(({ file }) => file)
    expect(files.sort()).toEqual([...VERIFIERS.map(({ file }) => file), 'send.sh'].sort())
  })

  test('names the headers that arrive', () => {
    const [, section = ''] = /## What arrives\n([\s\S]*?)```json/.exec(WEBHOOKS_DOCUMENT) ?? []
    const named = section.split('\n').flatMap((line) => [...(cells(line)[0] ?? '').matchAll(/`([^`]+)`/g)])
    const transport = /^(?:host|connection|content-length|user-agent|accept.*)$/
    const arrived = Object.keys(delivered.rotating.headers).filter((name) => !transport.test(name))
    expect(named.map(([, name = '']) => name.toLowerCase()).sort()).toEqual(arrived.sort())
  })

  test('shows an event as it is', () => {
    const shown = JSON.parse(/```json\n([\s\S]*?)```/.exec(WEBHOOKS_DOCUMENT)?.[1] ?? '') as SignalEvent
    const sent = JSON.parse(String(delivered.rotating.body)) as SignalEvent
    expect(membersOf(shown)).toEqual(membersOf(sent))
    const { signal_type, company_number, company_name, severity, changes } = sent.data
    const summary = String(sent.data['summary']).replace(String(company_name), String(shown.data['company_name']))
    expect(shown).toMatchObject({ type: sent.type, signal_type: sent.signal_type, api_version: sent.api_version })
    expect(shown.data).toMatchObject({ signal_type, company_number, severity, summary, changes })
  })

  test('has the test vector', () => {
    expect(rowAfter('| secret |')[1]).toBe(`\`${VECTOR.secret}\``)
    expect(rowAfter('| timestamp |')[1]).toBe(`\`${VECTOR.headers['x-webhook-timestamp']}\``)
    expect(rowAfter('| body, 71 bytes |')[1]).toBe(`\`${VECTOR.body}\``)
    const [standard, hex] = [rowAfter('| `webhook-signature` |')[1], WEBHOOKS_DOCUMENT]
    expect(standard).toBe(`\`${new Webhook(VECTOR.secret).sign('evt_1', new Date(1_767_225_600_000), VECTOR.body)}\``)
    expect(hex).toContain(`| \`X-Webhook-Signature\` | \`${VECTOR.headers['x-webhook-signature']}\` |`)
  })

  test('has the schedule of the service', () => {
    const UNITS: Record<string, number> = { s: 1, min: 60, h: 3_600 }
    const toSeconds = (cell: string) => {
      const [amount = '', unit = ''] = cell.split(' ')
      return cell === 'at once' ? 0 : Number(amount) * (UNITS[unit] ?? Number.NaN)
    }
    const { retrySeconds } = testConfig({}).webhooks
    expect(rowAfter('| after the one before |').slice(1).map(toSeconds)).toEqual(retrySeconds)
    expect(rowAfter('| attempt |').slice(1)).toEqual(retrySeconds.map((_, index) => String(index + 1)))
  })
})
