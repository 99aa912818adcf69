import { gzipSync } from 'node:zlib'
import type { Random } from '../../../rig/random.ts'
import type { Cast } from '../../../rig/requests/cast.ts'
import type { Operation } from '../../../rig/requests/operations.ts'
import { bodyText, type Draft, draftRequest, encodeText, RAW, writeDown } from './draft-request.ts'
import { CREDENTIALS, HEADERS, MEDIA_TYPES, RAW_PATHS } from './hostile-headers.ts'
import { HOSTILE_TEXTS, hostileJson, hostileValue, longText } from './hostile-values.ts'

type Mutate = (random: Random, draft: Draft, cast: Cast) => void

/** One way to make a request worse, and the requests it fits. */
const when = (fits: (draft: Draft) => boolean, mutate: Mutate) => ({ fits, mutate })

const always = () => true
const hasObject = ({ body, rawBody }: Draft) => typeof body === 'object' && body !== null && rawBody === null
const hasBody = ({ mediaType }: Draft) => mediaType !== null
const hasPath = ({ path }: Draft) => path.size > 0
const hasQuery = ({ operation }: Draft) => operation.parameters.some((parameter) => parameter.in === 'query')

const MUTATIONS: Record<string, ReturnType<typeof when>> = {
  'member of another kind': when(hasObject, (random, draft) => replaceMember(random, draft, hostileValue(random))),
  'long text': when(hasObject, (random, draft) => replaceMember(random, draft, longText(random))),
  'JSON at its edges': when(hasObject, (random, draft) => {
    draft.rawValue = hostileJson(random)
    replaceMember(random, draft, RAW)
  }),
  'member left out': when(hasObject, (random, draft) => {
    const members = Object.keys(draft.body as object)
    if (members.length > 0) delete (draft.body as Record<string, unknown>)[random.pick(members)]
  }),
  'member too many': when(hasObject, (random, draft) => {
    const name = random.pick(['constructor', 'toString', 'extra', 'account_id', ...HOSTILE_TEXTS])
    draft.body = { ...(draft.body as object), [name]: hostileValue(random) }
  }),
  'another body': when(hasBody, (random, draft) => (draft.rawBody = hostileJson(random))),
  'broken body': when(hasBody, breakBody),
  'media type': when(hasBody, (random, draft) => (draft.mediaType = random.pick(MEDIA_TYPES))),
  'compressed body': when(hasBody, (random, draft) => {
    draft.headers['content-encoding'] = random.pick(['gzip', 'deflate', 'br', 'identity', 'gzip, gzip', 'nonsense'])
    draft.rawBody = random.isTrue(0.5) ? gzipSync('{"domain":"a.co.uk"}') : Buffer.from('not compressed at all')
  }),
  'path value': when(hasPath, (random, draft) => {
    const text = random.isTrue(0.8) ? encodeText(random.pick(HOSTILE_TEXTS)) : random.pick(RAW_PATHS)
    draft.path.set(random.pick([...draft.path.keys()]), text)
  }),
  path: when(always, (random, draft) => (draft.pathSuffix = random.pick(RAW_PATHS))),
  'query value': when(hasQuery, mutateQuery),
  'query twice': when(hasQuery, (random, draft) => {
    const name = queryName(random, draft)
    draft.query.push([name, '1'], [name, '2'], [`${name}[]`, '3'], [`${name}[x]`, '4'])
  }),
  'query too many': when(always, (random, draft) => {
    const count = random.pick([1, 30, 1_500])
    for (let index = 0; index < count; index += 1)
      draft.query.push([encodeText(random.pick(['__proto__', 'constructor[prototype]', 'x', ''])), String(index)])
  }),
  header: when(always, (random, draft) => {
    const [name, values] = random.pick(HEADERS)
    draft.headers[name] = random.pick(values)
  }),
  credential: when(always, (random, draft, cast) => {
    const [name, values] = random.pick(CREDENTIALS)
    for (const header of ['authorization', 'x-api-key', 'cookie']) delete draft.headers[header]
    const { key, testKey, token } = random.pick(cast.customers)
    const value = random.pick(values)
    draft.headers[name] = value.replace('KEY', key).replace('TEST', testKey).replace('TOKEN', token)
  }),
  'two credentials': when(always, (random, draft, cast) => {
    draft.headers['x-api-key'] = random.pick(cast.customers).key
    draft.headers['authorization'] = `Bearer ${random.pick(cast.customers).token}`
  }),
  method: when(always, (random, draft) => {
    draft.method = random.pick('GET HEAD POST PUT PATCH DELETE OPTIONS TRACE PROPFIND PURGE'.split(' '))
  }),
}

function replaceMember(random: Random, draft: Draft, value: unknown): void {
  const nested = draft.operation.id === 'callAgentEndpoint' ? innerOf(draft.body) : null
  const target = (nested && random.isTrue(0.8) ? nested : draft.body) as Record<string, unknown>
  const named = Object.keys(draft.operation.bodies[draft.mediaType ?? '']?.properties ?? {})
  const names = [...new Set([...Object.keys(target), ...(target === draft.body ? named : [])])]
  if (names.length === 0) draft.body = value
  else target[random.pick(names)] = random.isTrue(0.2) ? [value] : value
}

function innerOf(body: unknown): object | null {
  const params = (body as { params?: { arguments?: unknown } }).params
  const inner = params?.arguments ?? params
  return typeof inner === 'object' ? inner : null
}

function breakBody(random: Random, draft: Draft): void {
  const whole = Buffer.from(bodyText(draft))
  draft.rawBody = random.pick([
    () => Buffer.alloc(0),
    () => whole.subarray(0, random.below(whole.length + 1)),
    () => Buffer.concat([whole, whole]),
    () => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), whole]),
    () => Buffer.from(whole.toString(), 'utf16le'),
    () => flip(random, whole),
    () =>
      Buffer.concat([Buffer.from('{"domain":"'), Buffer.from([0xc0, 0xaf, 0xff, 0xed, 0xa0, 0x80]), Buffer.from('"}')]),
    () => Buffer.from(`{"a":"${'x'.repeat(66_000)}"}`),
    () => Buffer.from('domain\n"unclosed\n'),
    () => Buffer.from(`${'"a",'.repeat(3_000)}\n`.repeat(4)),
  ])()
}

function flip(random: Random, bytes: Buffer): Buffer {
  const flipped = Buffer.from(bytes)
  for (let count = 0; count < 3 && flipped.length > 0; count += 1)
    flipped[random.below(flipped.length)] = random.below(256)
  return flipped
}

function queryName(random: Random, { operation }: Draft): string {
  return random.pick(operation.parameters.filter((parameter) => parameter.in === 'query')).name
}

function mutateQuery(random: Random, draft: Draft): void {
  const name = queryName(random, draft)
  const kind = random.next()
  const value =
    kind < 0.75
      ? encodeText(random.pick(HOSTILE_TEXTS))
      : kind < 0.9
        ? encodeText(longText(random))
        : random.pick(['%', '%zz', '%ff', '+', '&&', '=='])
  draft.query = [...draft.query.filter(([known]) => known !== name), [name, value]]
}

export interface FuzzRequest {
  operation: Operation
  /** The changes made to it; none for a request as the document has it. */
  mutations: string[]
  method: string
  path: string
  headers: Record<string, string | string[]>
  body: string | Buffer | null
}

const LEFT_ALONE_SHARE = 0.22
const MUTATIONS_MAX = 2

/** A request as the document has it, then made worse. */
export function makeRequest(random: Random, operation: Operation, cast: Cast): FuzzRequest {
  const draft = draftRequest(random, operation, cast)
  const mutations: string[] = []
  if (!random.isTrue(LEFT_ALONE_SHARE)) {
    for (let count = 1 + random.below(MUTATIONS_MAX); count > 0; count -= 1) {
      const [name, { mutate }] = random.pick(Object.entries(MUTATIONS).filter(([, { fits }]) => fits(draft)))
      mutate(random, draft, cast)
      mutations.push(name)
    }
  }
  return { operation, mutations, method: draft.method, ...writeDown(draft) }
}
