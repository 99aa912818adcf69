import { connect } from 'node:net'
import type { Random } from '../../../rig/random.ts'

/** Bytes that are no proper request of HTTP, sent over a connection of their own. */
interface WireAttack {
  name: string
  /** One character for each byte. */
  text(host: string, random: Random): string
  /** The sender ends the connection in the middle, so no answer is due. */
  isCutOff: boolean
}

const BODY = '{"domain":"chaos-0.co.uk"}'
const JSON_TYPE = 'content-type: application/json'
const LENGTH = `content-length: ${BODY.length}`
const CHUNKED = 'transfer-encoding: chunked'
const CLOSE = 'connection: close'

const get = (start: string, host: string, ...lines: string[]) => [start, `host: ${host}`, ...lines, '', ''].join('\r\n')
const post = (host: string, lines: readonly string[], body = '') =>
  ['POST /v1/enrich HTTP/1.1', `host: ${host}`, ...lines, '', body].join('\r\n')

const ATTACKS: Record<string, WireAttack['text']> = {
  noise: (_, random) => Array.from({ length: 400 }, () => String.fromCharCode(random.below(256))).join(''),
  'HTTP/2 preface': () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'HTTP/0.9': () => 'GET /\r\n\r\n',
  'HTTP/9.9': (host) => get('GET / HTTP/9.9', host),
  'no host': () => 'GET /healthz HTTP/1.1\r\n\r\n',
  'two hosts': (host) => get('GET /healthz HTTP/1.1', host, 'host: evil'),
  'line feeds alone': (host) => `GET /healthz HTTP/1.1\nhost: ${host}\n\n`,
  'absolute address': (host) => get('GET http://evil.example/healthz HTTP/1.1', host),
  CONNECT: (host) => get('CONNECT 127.0.0.1:22 HTTP/1.1', host),
  'unknown method': (host) => get('FUZZ / HTTP/1.1', host),
  'control characters in the path': (host) => get('GET /\x01\x7f HTTP/1.1', host),
  'raw bytes in the path': (host) => get('GET /v1/bulk/\xff\xfe HTTP/1.1', host),
  'endless path': (host) => get(`GET /${'a'.repeat(40_000)} HTTP/1.1`, host),
  'lengths that differ': (host) => post(host, [JSON_TYPE, 'content-length: 5', LENGTH], BODY),
  'length below zero': (host) => post(host, [JSON_TYPE, 'content-length: -1'], BODY),
  'length of words': (host) => post(host, [JSON_TYPE, 'content-length: 0x1a'], BODY),
  'length beyond numbers': (host) => post(host, [JSON_TYPE, `content-length: ${'9'.repeat(30)}`], BODY),
  'length and chunks': (host) => post(host, [JSON_TYPE, LENGTH, CHUNKED], `1a\r\n${BODY}\r\n0\r\n\r\n`),
  'chunk of no length': (host) => post(host, [JSON_TYPE, CHUNKED], 'zz\r\nabc\r\n0\r\n\r\n'),
  'chunk of endless extensions': (host) =>
    post(host, [JSON_TYPE, CHUNKED], `1;${'a'.repeat(30_000)}\r\nx\r\n0\r\n\r\n`),
  'unknown transfer encoding': (host) => post(host, [JSON_TYPE, 'transfer-encoding: xchunked'], BODY),
  'unknown expectation': (host) => post(host, [JSON_TYPE, 'expect: a-miracle', LENGTH], BODY),
  continue: (host) => post(host, [JSON_TYPE, 'expect: 100-continue', LENGTH, CLOSE], BODY),
  upgrade: (host) => get('GET /healthz HTTP/1.1', host, 'connection: upgrade', 'upgrade: websocket'),
  'space in a header name': (host) => post(host, ['x y: 1', 'content-length: 0']),
  'NUL in a header': (host) => post(host, ['x-a: a\0b', 'content-length: 0']),
  'folded header': (host) => post(host, ['x-a: a', ' b', 'content-length: 0', CLOSE]),
  'header without a name': (host) => post(host, [': x', 'content-length: 0']),
  'raw bytes in headers': (host) =>
    post(host, ['x-api-key: \xff\xfe\x80', 'idempotency-key: \xe9', 'content-length: 0', CLOSE]),
  'thousands of headers': (host) =>
    post(host, [...Array.from({ length: 4_000 }, (_, index) => `x${index}: 1`), 'content-length: 0', CLOSE]),
  'header of 100 kB': (host) => post(host, [`x-a: ${'a'.repeat(100_000)}`, 'content-length: 0']),
  'the same header twice': (host) => {
    const twice = ['x-api-key: a', 'x-api-key: b', 'authorization: a', 'authorization: b', 'content-type: text/csv']
    return post(host, [...twice, JSON_TYPE, LENGTH, CLOSE], BODY)
  },
  pipelined: (host) => get('GET /healthz HTTP/1.1', host).repeat(20) + get('GET /healthz HTTP/1.1', host, CLOSE),
}

const CUT_OFF: Record<string, WireAttack['text']> = {
  'TLS hello': () => Buffer.from('16030100a5010000a10303', 'hex').toString('latin1'),
  'body cut off': (host) => post(host, [JSON_TYPE, 'content-length: 5000'], BODY),
  'chunks cut off': (host) => post(host, [JSON_TYPE, CHUNKED], '1a\r\n{"domain"'),
  'headers cut off': (host) => `GET / HTTP/1.1\r\nhost: ${host}\r\nx-a`,
  'left before the answer': (host) => post(host, [JSON_TYPE, LENGTH], BODY),
}

const listAttacks = (texts: Record<string, WireAttack['text']>, isCutOff: boolean): WireAttack[] =>
  Object.entries(texts).map(([name, text]) => ({ name, text, isCutOff }))

export const WIRE_ATTACKS: readonly WireAttack[] = [...listAttacks(ATTACKS, false), ...listAttacks(CUT_OFF, true)]

type WireAnswer = { kind: 'answered'; status: number; text: string } | { kind: 'closed' } | { kind: 'hung' }

/** Sends the bytes; the first answer counts. */
export function attackWire(port: number, attack: WireAttack, text: string, timeoutMs: number): Promise<WireAnswer> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    const socket = connect({ host: '127.0.0.1', port })
    const end = (answer: WireAnswer) => {
      clearTimeout(timer)
      socket.destroy()
      resolve(answer)
    }
    const timer = setTimeout(() => end({ kind: 'hung' }), timeoutMs)
    const finish = () => end(readAnswer(Buffer.concat(chunks)))
    socket.on('error', finish).on('close', finish)
    socket.on('data', (chunk) => {
      chunks.push(chunk)
      if (isWhole(Buffer.concat(chunks))) finish()
    })
    socket.write(text, 'latin1', () => {
      if (attack.isCutOff) end({ kind: 'closed' })
    })
  })
}

function isWhole(bytes: Buffer): boolean {
  const text = bytes.toString('latin1')
  const headEnd = text.indexOf('\r\n\r\n')
  if (headEnd === -1 || text.startsWith('HTTP/1.1 100')) return false
  const length = /\r\ncontent-length: *(\d+)/i.exec(text.slice(0, headEnd))?.[1]
  return length !== undefined && text.length >= headEnd + 4 + Number(length)
}

function readAnswer(bytes: Buffer): WireAnswer {
  const text = bytes.toString('utf8').replace(/^HTTP\/1\.1 100[^\r]*\r\n\r\n/, '')
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(text)?.[1] ?? Number.NaN)
  return Number.isNaN(status) ? { kind: 'closed' } : { kind: 'answered', status, text }
}
