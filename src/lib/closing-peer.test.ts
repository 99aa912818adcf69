/** A peer that closes its connection while we read its body slowly, or not at all, must not end our process. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SmallWeb, startSmallWeb } from './web/small-web.fixture.ts'

const PROGRAM = join(import.meta.dirname, 'web/closing-peer.fixture.ts')
/** Node's own `fetch` in a process that does not know our copy of undici. */
const UNPROTECTED = `
  const { Readable } = await import('node:stream')
  for (let round = 0; round < 40; round += 1) {
    for await (const _ of Readable.fromWeb((await fetch(process.argv[1])).body)) await new Promise((go) => setTimeout(go, 3))
  }
  console.log('alive')`
const LINES = 'a line of an endless list\n'.repeat(80_000)

let web: SmallWeb
beforeAll(async () => {
  web = await startSmallWeb()
  web.names.set('peer.example', ['93.184.216.34'])
  for (const host of ['peer.example', '127.0.0.1']) {
    web.sites.set(host, ({ socket }) => {
      socket.write(`HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: ${LINES.length}\r\n\r\n`)
      socket.end(LINES)
    })
  }
})
afterAll(async () => web[Symbol.asyncDispose]())

async function run(...program: string[]): Promise<string> {
  const ran = promisify(execFile)(process.execPath, program)
  return ran.then(
    ({ stdout }) => stdout.trim(),
    (error: { stderr?: string }) => error.stderr ?? 'no words',
  )
}

test.each(['stream', 'download', 'unread download', 'request', 'guarded', 'library'])(
  'a peer that closes with its body unread does not end a process that reads by %s',
  async (way) => {
    const { simulated } = web
    const address = `http://127.0.0.1:${simulated.httpPort}/`
    expect(await run(PROGRAM, way, address, JSON.stringify(simulated))).toBe('alive')
  },
)

test('the same peer ends a process without our protection, so the tests above can fail', async () => {
  const address = `http://127.0.0.1:${web.simulated.httpPort}/`
  expect(await run('--input-type=module', '-e', UNPROTECTED, address)).toContain('assert(!this.paused)')
})
