/** `npm run dev` as a developer meets it: asking for help, a second start, a wrong word. */
import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { programEnvironment } from '../rig/program.ts'
import { findRunning, forgetRunning, writeRunning } from '../rig/running.ts'

const DEV = join(import.meta.dirname, '../rig/dev.ts')

function dev(env: Record<string, string>, ...argv: string[]): Promise<{ code: number; text: string }> {
  return new Promise((resolve) => {
    const options = { env: { ...programEnvironment(), ...env } }
    execFile(process.execPath, [DEV, ...argv], options, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, text: stdout + stderr }),
    )
  })
}

test('npm run dev -- --help prints help and starts nothing', async () => {
  const { code, text } = await dev({}, '--help')
  expect([code, text]).toEqual([0, expect.stringContaining('PORT=4100 npm run dev')])
  expect(text).not.toContain('Starting')
})

test('a word that npm run dev does not know is refused before anything starts', async () => {
  const { code, text } = await dev({}, '--hepl')
  expect([code, text]).toEqual([2, expect.stringContaining('--hepl')])
  expect(text).not.toContain('Starting')
})

test('PORT is the port of the service in development, and a wrong one is refused', async () => {
  expect((await dev({ PORT: '4717' }, '--help')).text).toContain('4717 now')
  expect(await dev({ PORT: 'soon' }, '--help')).toEqual({ code: 2, text: expect.stringContaining('PORT must be') })
})

test('the other ports follow PORT, and each can be set', async () => {
  const { text } = await dev({ PORT: '4717', SMTP_PORT: '2525' }, '--help')
  expect(text).toContain('MAILBOX_PORT=4718 OUTSIDE_PORT=4719 SMTP_PORT=2525 POSTGRES_PORT=4749')
})

test('a second npm run dev says that it is already running, and where, and starts nothing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'nameplate-local-'))
  const first = { pid: process.pid, address: 'http://localhost:4000' }
  writeRunning(join(folder, 'running.json'), first)
  const { code, text } = await dev({ LOCAL_FOLDER: folder, PORT: '4817' })
  expect([code, text]).toEqual([1, expect.stringContaining('already running, at http://localhost:4000')])
  expect(text).not.toContain('Starting')
  expect(readdirSync(folder)).toEqual(['running.json'])
  expect(JSON.parse(readFileSync(join(folder, 'running.json'), 'utf8'))).toEqual(first)
  rmSync(folder, { recursive: true })
})

test('a port that another program uses is named before anything starts', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'nameplate-local-'))
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const { code, text } = await dev({ LOCAL_FOLDER: folder, PORT: '4917', MAILBOX_PORT: String(port) })
  expect([code, text]).toEqual([1, expect.stringContaining(`Another program uses port ${port}`)])
  expect(readdirSync(folder)).toEqual([])
  server.close()
  rmSync(folder, { recursive: true })
})

test('a second npm run dev notices the first and leaves it alone', () => {
  const folder = mkdtempSync(join(tmpdir(), 'nameplate-running-'))
  const file = join(folder, 'running.json')
  try {
    expect(findRunning(file)).toBeNull()
    const first = { pid: process.ppid, address: 'http://localhost:4000' }
    writeRunning(file, first)
    expect(findRunning(file)).toEqual(first)
    forgetRunning(file)
    expect(findRunning(file)).toEqual(first)
    writeRunning(file, { pid: 2 ** 22 + 1, address: 'http://localhost:4000' })
    expect(findRunning(file)).toBeNull()
    writeFileSync(file, 'not JSON')
    expect(findRunning(file)).toBeNull()
  } finally {
    rmSync(folder, { recursive: true })
  }
})
