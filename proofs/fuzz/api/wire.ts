import { connect } from 'node:net'
import type { Random } from '../../../rig/random.ts'

/** Bytes that are no proper request of HTTP, sent over a connection of their own. */
export interface WireAttack {
  name: string
  bytes(random: Random, host: string): Buffer
  /** The sender ends the connection in the middle, so no answer is due. */
  isCutOff?: true
}

const BODY = '{"domain":"chaos-0.co.uk"}'

const asked = (host: string, lines: string[], body = '') =>
  Buffer.from([`POST /v1/enrich HTTP/1.1`, `host: ${host}`, ...lines, '', body].join('\r\n'), 'latin1')
const json = 'content-type: application/json'

export const WIRE_ATTACKS: readonly WireAttack[] = [
  { name: 'noise', bytes: (random) => Buffer.from(Array.from({ length: 400 }, () => random.below(256))) },
  { name: 'TLS hello', bytes: () => Buffer.from('16030100a5010000a10303', 'hex'), isCutOff: true },
  { name: 'HTTP/2 preface', bytes: () => Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n') },
  { name: 'HTTP/0.9', bytes: () => Buffer.from('GET /\r\n\r\n') },
  { name: 'HTTP/9.9', bytes: (_, host) => Buffer.from(`GET / HTTP/9.9\r\nhost: ${host}\r\n\r\n`) },
  { name: 'no host', bytes: () => Buffer.from('GET /healthz HTTP/1.1\r\n\r\n') },
  {
    name: 'two hosts',
    bytes: (_, host) => Buffer.from(`GET /healthz HTTP/1.1\r\nhost: ${host}\r\nhost: evil\r\n\r\n`),
  },
  { name: 'line feeds alone', bytes: (_, host) => Buffer.from(`GET /healthz HTTP/1.1\nhost: ${host}\n\n`) },
  {
    name: 'absolute address',
    bytes: (_, host) => Buffer.from(`GET http://evil.example/healthz HTTP/1.1\r\nhost: ${host}\r\n\r\n`),
  },
  { name: 'CONNECT', bytes: (_, host) => Buffer.from(`CONNECT 127.0.0.1:22 HTTP/1.1\r\nhost: ${host}\r\n\r\n`) },
  { name: 'unknown method', bytes: (_, host) => Buffer.from(`FUZZ / HTTP/1.1\r\nhost: ${host}\r\n\r\n`) },
  {
    name: 'control characters in the path',
    bytes: (_, host) => Buffer.from(`GET /\x01\x7f HTTP/1.1\r\nhost: ${host}\r\n\r\n`),
  },
  {
    name: 'raw bytes in the path',
    bytes: (_, host) => Buffer.from(`GET /v1/bulk/\xff\xfe HTTP/1.1\r\nhost: ${host}\r\n\r\n`, 'latin1'),
  },
  {
    name: 'endless path',
    bytes: (_, host) => Buffer.from(`GET /${'a'.repeat(40_000)} HTTP/1.1\r\nhost: ${host}\r\n\r\n`),
  },
  {
    name: 'lengths that differ',
    bytes: (_, host) => asked(host, [json, 'content-length: 5', 'content-length: 26'], BODY),
  },
  { name: 'length below zero', bytes: (_, host) => asked(host, [json, 'content-length: -1'], BODY) },
  { name: 'length of words', bytes: (_, host) => asked(host, [json, 'content-length: 0x1a'], BODY) },
  { name: 'length beyond numbers', bytes: (_, host) => asked(host, [json, `content-length: ${'9'.repeat(30)}`], BODY) },
  {
    name: 'length and chunks',
    bytes: (_, host) =>
      asked(host, [json, 'content-length: 26', 'transfer-encoding: chunked'], `1a\r\n${BODY}\r\n0\r\n\r\n`),
  },
  {
    name: 'chunk of no length',
    bytes: (_, host) => asked(host, [json, 'transfer-encoding: chunked'], 'zz\r\nabc\r\n0\r\n\r\n'),
  },
  {
    name: 'chunk of endless extensions',
    bytes: (_, host) => asked(host, [json, 'transfer-encoding: chunked'], `1;${'a'.repeat(30_000)}\r\nx\r\n0\r\n\r\n`),
  },
  { name: 'unknown transfer encoding', bytes: (_, host) => asked(host, [json, 'transfer-encoding: xchunked'], BODY) },
  {
    name: 'unknown expectation',
    bytes: (_, host) => asked(host, [json, 'expect: a-miracle', 'content-length: 26'], BODY),
  },
  {
    name: 'continue',
    bytes: (_, host) => asked(host, [json, 'expect: 100-continue', 'content-length: 26', 'connection: close'], BODY),
  },
  {
    name: 'upgrade',
    bytes: (_, host) =>
      Buffer.from(`GET /healthz HTTP/1.1\r\nhost: ${host}\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n`),
  },
  { name: 'space in a header name', bytes: (_, host) => asked(host, ['x y: 1', 'content-length: 0']) },
  { name: 'NUL in a header', bytes: (_, host) => asked(host, ['x-a: a\0b', 'content-length: 0']) },
  {
    name: 'folded header',
    bytes: (_, host) => asked(host, ['x-a: a', ' b', 'content-length: 0', 'connection: close']),
  },
  { name: 'header without a name', bytes: (_, host) => asked(host, [': x', 'content-length: 0']) },
  {
    name: 'raw bytes in headers',
    bytes: (_, host) =>
      asked(host, ['x-api-key: \xff\xfe\x80', 'idempotency-key: \xe9', 'content-length: 0', 'connection: close']),
  },
  {
    name: 'thousands of headers',
    bytes: (_, host) =>
      asked(host, [
        ...Array.from({ length: 4_000 }, (_each, place) => `x${place}: 1`),
        'content-length: 0',
        'connection: close',
      ]),
  },
  { name: 'header of 100 kB', bytes: (_, host) => asked(host, [`x-a: ${'a'.repeat(100_000)}`, 'content-length: 0']) },
  {
    name: 'the same header twice',
    bytes: (_, host) =>
      asked(
        host,
        [
          'x-api-key: a',
          'x-api-key: b',
          'authorization: a',
          'authorization: b',
          'content-type: text/csv',
          json,
          'content-length: 26',
          'connection: close',
        ],
        BODY,
      ),
  },
  {
    name: 'pipelined',
    bytes: (_, host) =>
      Buffer.concat([
        ...Array.from({ length: 20 }, () => Buffer.from(`GET /healthz HTTP/1.1\r\nhost: ${host}\r\n\r\n`)),
        Buffer.from(`GET /healthz HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`),
      ]),
  },
  { name: 'body cut off', bytes: (_, host) => asked(host, [json, 'content-length: 5000'], BODY), isCutOff: true },
  {
    name: 'chunks cut off',
    bytes: (_, host) => asked(host, [json, 'transfer-encoding: chunked'], '1a\r\n{"domain"'),
    isCutOff: true,
  },
  {
    name: 'headers cut off',
    bytes: (_, host) => Buffer.from(`GET / HTTP/1.1\r\nhost: ${host}\r\nx-a`),
    isCutOff: true,
  },
  {
    name: 'left before the answer',
    bytes: (_, host) => asked(host, [json, 'content-length: 26'], BODY),
    isCutOff: true,
  },
]

export type WireAnswer = { kind: 'answered'; status: number; text: string } | { kind: 'closed' } | { kind: 'hung' }

/** Sends the bytes; the first answer counts. */
export function attackWire(port: number, attack: WireAttack, bytes: Buffer, timeoutMs: number): Promise<WireAnswer> {
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
    socket.write(bytes, () => {
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
