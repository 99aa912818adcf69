/** One observer requests everything: each operation with what others own, and what others sent under their keys. */

import { makeSite } from '../../../rig/made-up-sites.ts'
import { type Random, randomOf } from '../../../rig/random.ts'
import { type Cast, FoundIds } from '../../../rig/requests/cast.ts'
import { listOperations, type Operation, readDocument } from '../../../rig/requests/operations.ts'
import { validValue } from '../../../rig/requests/valid-value.ts'
import { type Asked, isPlayed, type Shown } from './caller.ts'
import { type Canaries, describeCanary, type Leak, mayHolderSee } from './canaries.ts'
import type { Observer } from './observers.ts'
import type { Planted } from './plant.ts'
import type { CanaryStage } from './stage.ts'

export interface Walk {
  operations: Set<string>
  requests: number
  /** Responses with something in them: a walk that is refused everywhere proves nothing. */
  answered: number
  /** Requests that met a limit to the last, so that nothing is known of them. */
  limited: number
  leaks: Leak[]
}

interface Scene {
  stage: CanaryStage
  canaries: Canaries
  planted: readonly Planted[]
  walk: Walk
}

/** Reading comes before changing, and what ends the observer's own credential is left to the tests of sign-in. */
const ORDER = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE']
const ENDING = new Set(['rotateApiKey', 'changePassword', 'POST /sign-out', 'POST /reset-password'])
/** The id is the permission there; the response is searched all the same. */
const OPEN_BY_ID = new Set(['getJobStatus', 'getEvidence', 'getArchive', 'makeEvidenceRecord', 'disputeResolution'])
/** The person of an account sees what was done in both modes; a key sees its own. */
const BOTH_MODES = new Set(['listAuditEntries', 'exportAuditLog'])

const CAST: Omit<Cast, 'emails'> = {
  customers: [],
  leaving: [],
  domains: [makeSite(2).domain],
  // Not those that the owners watch, so that an observer who watches these meets no owner's.
  companyNumbers: [makeSite(2).companyNumber ?? '', makeSite(11).companyNumber ?? ''],
  // A company that an owner asked about leads to the owner's answer: an observer who names it gets that answer too.
  companyNames: ['CINDERFINCH JOINERY LIMITED', 'Unknown Ltd'],
  ids: new FoundIds(),
}

export async function walkAs(observer: Observer, scene: Scene): Promise<void> {
  const foreign = scene.planted.filter(({ world }) => !isOwn(observer, world))
  const operations = listOperations(readDocument())
    .filter(({ id, method }) => !ENDING.has(id) && ORDER.includes(method))
    .filter(({ host }) => host === 'api' || observer.seesSite)
    .toSorted((one, other) => ORDER.indexOf(one.method) - ORDER.indexOf(other.method))
  for (const [index, operation] of operations.entries()) {
    for (const { asked, takesForeignId } of draft(operation, foreign, drawn(observer, index))) {
      const credential = operation.host === 'site' ? observer.site : observer.api
      const shown = await look(observer, scene, operation.id, {
        ...asked,
        headers: { ...asked.headers, ...credential },
      })
      if (LISTS_WATCHED.has(operation.id)) searchWatched(observer, scene, { operation: operation.id, text: shown.text })
      if (takesForeignId && shown.status < 300 && !OPEN_BY_ID.has(operation.id)) {
        scene.walk.leaks.push({
          observer: observer.name,
          operation: operation.id,
          what: `status ${shown.status} for a foreign id`,
        })
      }
    }
  }
  if (observer.agent) await callToolsAs(observer, scene, foreign)
}

function isOwn({ world }: Observer, { account, mode }: Planted['world']): boolean {
  return world !== null && world.account === account && world.mode === mode
}

/** Numbers of companies are public, but not who watches them. */
const LISTS_WATCHED = new Set(['listWatchlist', 'listSignals'])

function searchWatched(observer: Observer, { planted, walk }: Scene, shown: { operation: string; text: string }): void {
  const own = planted.find(({ world }) => isOwn(observer, world))
  for (const { watched, world } of planted) {
    if (watched === own?.watched || !shown.text.includes(`"${watched}"`)) continue
    const what = `${world.account} ${world.mode} watched company`
    walk.leaks.push({ observer: observer.name, operation: shown.operation, what })
  }
}

/** Sends something, and searches what comes back. */
export async function look(
  observer: Observer,
  { stage, canaries, walk }: Scene,
  operation: string,
  asked: Asked,
): Promise<Shown> {
  const shown = await stage.ask(asked)
  walk.operations.add(operation)
  walk.requests += 1
  if (shown.status < 300) walk.answered += 1
  if (shown.status === 429 && !isPlayed(asked)) walk.limited += 1
  for (const canary of canaries.find(shown.text, maySee(observer, operation), JSON.stringify(asked))) {
    walk.leaks.push({ observer: observer.name, operation, what: describeCanary(canary) })
  }
  return shown
}

function maySee({ world, seesSite, may }: Observer, operation: string): Observer['may'] {
  const isPerson = world !== null && seesSite
  return isPerson && BOTH_MODES.has(operation) ? mayHolderSee({ account: world.account, mode: 'both' }) : may
}

interface Drawn {
  random: Random
  cast: Cast
}

/** Each observer draws other values and another e-mail address: limits per address are not what is tried here. */
function drawn({ number }: Observer, index: number): Drawn {
  return { random: randomOf(number, index), cast: { ...CAST, emails: [`observer-${number}@example.com`] } }
}

/** Returns a request for every foreign id that fits; one where no id is needed. */
function draft(operation: Operation, foreign: readonly Planted[], { random, cast }: Drawn) {
  const { method, template, host, parameters, bodies } = operation
  const [mediaType] = Object.keys(bodies)
  const value = mediaType === undefined ? undefined : validValue(random, cast, bodies[mediaType] ?? {})
  const isForm = mediaType?.startsWith('application/x-www-form-urlencoded') === true
  const body = isForm ? new URLSearchParams(value as Record<string, string>).toString() : value
  const required = parameters.filter(
    ({ in: where, name }) => where === 'query' && ['name', 'token', 'format'].includes(name),
  )
  const query = required.map(
    ({ name, schema }) => `${name}=${encodeURIComponent(String(validValue(random, cast, schema, name)))}`,
  )
  const kind = kindOf(template)
  const ids = kind === null ? [] : foreign.flatMap((planted) => planted.ids[kind] ?? [])
  const toAsked = (id: string) => {
    const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => (name === 'company_number' ? 'TS000001' : id))
    const suffix = query.length > 0 ? `?${query.join('&')}` : ''
    const sent = value === undefined ? {} : { body, mediaType: mediaType ?? 'application/json' }
    return { method, path: path + suffix, host, ...sent } as Asked
  }
  if (ids.length === 0) return [{ asked: toAsked('1'), takesForeignId: false }]
  return ids.map((id) => ({ asked: toAsked(id), takesForeignId: true }))
}

/** `{id}` of `/v1/bulk/{id}` is the id of a bulk job. */
function kindOf(template: string): string | null {
  if (template.includes('{job_id}')) return 'job'
  const before = /([\w-]+)\/\{id\}/.exec(template)?.[1]
  return before ?? null
}

/** Sends the requests of others again, word for word and under their Idempotency-Keys: their stored responses stay theirs. */
export async function repeatAs(observer: Observer, scene: Scene): Promise<void> {
  const foreign = scene.planted.filter(({ world }) => !isOwn(observer, world))
  for (const { sent, world } of foreign) {
    for (const asked of sent) {
      const operation = `repeat of ${asked.path}`
      const shown = await look(observer, scene, operation, {
        ...asked,
        headers: { ...asked.headers, ...observer.api },
      })
      if (/"idempotency-replayed","true"/.test(shown.text)) {
        const what = `the response stored for ${world.account} ${world.mode}`
        scene.walk.leaks.push({ observer: observer.name, operation, what })
      }
    }
  }
}

/** Calls every tool of the agent endpoint with what others own, and reads the evidence of their answers. */
async function callToolsAs(observer: Observer, scene: Scene, foreign: readonly Planted[]): Promise<void> {
  const headers = {
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2025-06-18',
    ...observer.agent,
  }
  const rpc = (operation: string, method: string, params: object) => {
    const body = { jsonrpc: '2.0', id: 1, method, params }
    return look(observer, scene, operation, { method: 'POST', path: '/mcp', headers, body })
  }
  const listed = await rpc('mcp tools/list', 'tools/list', {})
  const names = [...listed.text.matchAll(/"name":"(\w+)"/g)].map(([, name = '']) => name)
  const jobs = foreign.flatMap(({ ids }) => ids['job'] ?? [])
  for (const name of new Set(names)) {
    const known = { company_number: 'TS000001', domain: makeSite(2).domain, name: 'limited', wait_seconds: 0 }
    const inputs = name === 'check_job' ? jobs.map((job) => ({ job_id: job, wait_seconds: 0 })) : [known]
    for (const input of inputs) await rpc(`mcp ${name}`, 'tools/call', { name, arguments: input })
  }
  for (const id of foreign.flatMap(({ ids }) => ids['resolutions'] ?? [])) {
    await rpc('mcp resources/read', 'resources/read', { uri: `nameplate://evidence/${id}` })
  }
}
