import { setTimeout as sleep } from 'node:timers/promises'
import { findFootprint } from '../../../rig/processes.ts'
import { type Random, randomOf } from '../../../rig/random.ts'
import type { Operation } from '../../../rig/requests/operations.ts'
import { countUp } from '../../../rig/statistics.ts'
import { type Check, type FuzzResponse, parseJson } from './check-response.ts'
import { describeFinding, type FindingKind, Findings } from './findings.ts'
import { type FuzzRequest, makeRequest } from './mutations.ts'
import { openSender, type Sender, toCurl } from './send.ts'
import type { FuzzStage } from './stage.ts'
import { attackWire, WIRE_ATTACKS } from './wire.ts'

export type Bombardment = ReturnType<typeof nothingYet>

export interface BombardmentOf {
  stage: FuzzStage
  operations: Operation[]
  check: Check
  seed: number
  say: (line: string) => void
}

const CONNECTIONS = 40
const WIRE_SHARE = 0.03
const WIRE_ANSWER_MS = 12_000
const SAY_EVERY_MS = 4_000
const BUSY_TRIES_MAX = 10
const BUSY_PAUSE_MS = 2_000

/** Sends `count` requests, of which each is decided by the seed and its own number. */
export async function bombard(
  of: BombardmentOf,
  { from, count }: { from: number; count: number },
  so = nothingYet(of.seed),
): Promise<Bombardment> {
  const sender = openSender(of.stage.api.url, CONNECTIONS)
  const weights = Object.fromEntries(of.operations.map(({ id, weight }) => [id, weight]))
  const byId = new Map(of.operations.map((operation) => [operation.id, operation]))
  const pick = (random: Random) => byId.get(random.pickByWeight(weights)) as Operation
  const startedAtMs = performance.now()
  let index = from
  let saidAtMs = startedAtMs
  const work = async () => {
    while (index < from + count) {
      const own = index
      index += 1
      await fire(of, sender, pick, so, own)
      if (performance.now() - saidAtMs < SAY_EVERY_MS) continue
      saidAtMs = performance.now()
      watch(of, so)
    }
  }
  try {
    await Promise.all(Array.from({ length: CONNECTIONS }, work))
  } finally {
    await sender.close()
  }
  so.seconds += (performance.now() - startedAtMs) / 1_000
  return so
}

/** Counts of what was sent so far and what came back. */
function nothingYet(seed: number) {
  return {
    requests: 0,
    unsendable: 0,
    seconds: 0,
    /** Samples of the API's process: requests sent by then, and its memory. */
    memory: [] as Array<{ requests: number; rssMb: number }>,
    statuses: new Map<string, number>(),
    mutations: new Map<string, number>(),
    covered: new Set<string>(),
    /** Operations that also succeeded. */
    succeeded: new Set<string>(),
    findings: new Findings((finding) => console.error(describeFinding(seed, finding))),
  }
}

/** The process under test must not end, whatever it is sent. */
function watch({ stage, say }: BombardmentOf, so: Bombardment): void {
  const [api, worker] = [findFootprint(stage.api.pid), findFootprint(stage.worker.pid)]
  if (!api || !worker) throw new Error(`the ${api ? 'worker' : 'API'} ended after ${so.requests} requests`)
  so.memory.push({ requests: so.requests, rssMb: api.rssMb })
  const { kinds } = so.findings
  say(`${so.requests} requests, ${Math.round(api.rssMb)} MB, ${api.handles} handles, ${kinds} findings`)
}

async function fire(
  of: BombardmentOf,
  sender: Sender,
  pick: (random: Random) => Operation,
  so: Bombardment,
  index: number,
): Promise<void> {
  const random = randomOf(of.seed, index)
  if (random.isTrue(WIRE_SHARE)) return fireBytes(of, so, index)
  const request = makeRequest(random, pick(random), of.stage.cast)
  let sent = await sender.send(request)
  // A machine that is busy for a moment refuses what it answers later.
  for (let tries = 1; 'response' in sent && sent.response.status === 503 && tries < BUSY_TRIES_MAX; tries += 1) {
    await sleep(BUSY_PAUSE_MS)
    sent = await sender.send(request)
  }
  if (sent.kind === 'unsendable') {
    so.unsendable += 1
    return
  }
  so.requests += 1
  so.covered.add(request.operation.id)
  for (const name of request.mutations.length > 0 ? request.mutations : ['none']) countUp(so.mutations, name)
  const found = (kind: FindingKind, detail: string, answered: string) =>
    so.findings.add({ operation: request.operation.id, kind, detail, request: index, sent: toCurl(request), answered })
  if (sent.kind === 'hung') return found('hang', 'no answer in time', '')
  if (sent.kind === 'dropped') return found('connection dropped', sent.why, '')
  const { response } = sent
  countUp(so.statuses, String(response.status))
  if (response.status < 400) learn(of, so, request, response)
  for (const { kind, detail } of of.check(request, response))
    found(kind, detail, `${response.status} ${JSON.stringify(response.headers)} ${response.text}`)
}

function learn({ stage }: BombardmentOf, so: Bombardment, request: FuzzRequest, response: FuzzResponse): void {
  so.succeeded.add(request.operation.id)
  stage.cast.ids.learn(request.operation.id, parseJson(response.text))
}

/** Bytes that are no request get a response, also from below Fastify, or a closed connection. */
async function fireBytes({ stage, seed }: BombardmentOf, so: Bombardment, index: number): Promise<void> {
  const random = randomOf(seed, index)
  const attack = random.pick(WIRE_ATTACKS)
  const port = Number(new URL(stage.api.url).port)
  const text = attack.text(`127.0.0.1:${port}`, random)
  const answer = await attackWire(port, attack, text, WIRE_ANSWER_MS)
  so.requests += 1
  so.covered.add('bytes')
  countUp(so.mutations, 'bytes that are no request')
  countUp(so.statuses, answer.kind === 'answered' ? String(answer.status) : 'closed')
  const found = (kind: FindingKind, detail: string, answered: string) =>
    so.findings.add({
      operation: `bytes: ${attack.name}`,
      kind,
      detail,
      request: index,
      sent: JSON.stringify(text.slice(0, 300)),
      answered,
    })
  if (answer.kind === 'hung') found('hang', 'neither answered nor closed', '')
  if (answer.kind !== 'answered') return
  if (answer.status >= 500) found('server error', String(answer.status), answer.text)
  const body = answer.text.slice(answer.text.indexOf('\r\n\r\n') + 4)
  if (answer.status >= 400 && body !== '' && !body.includes('"request_id"'))
    found('schema mismatch', 'an error of another shape', answer.text)
}
