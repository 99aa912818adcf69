import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { takePicture } from './passage-picture.ts'

const directory = await mkdtemp(join(tmpdir(), 'nameplate-silent-'))
afterAll(() => rm(directory, { recursive: true }))

/** Says nothing, and writes its id and its environment. */
const program = join(directory, 'silent')
await writeFile(program, `#!/bin/sh\necho $$ > ${directory}/pid\nenv > ${directory}/env\nexec sleep 600\n`)
await chmod(program, 0o755)

const ASKED = { program, body: Buffer.from('<p>words</p>'), contentType: 'text/html', passages: ['words'] }

test.each([
  [{ timeMs: 3_000 }, 'the page took longer than 3000 ms'],
  [{ memoryBytes: 1, timeMs: 60_000 }, 'the page took too much memory'],
])('a browser beyond %j is killed with its profile', async (limits, says) => {
  await expect(takePicture({ ...ASKED, limits })).rejects.toThrow(says)
  const pid = Number(await readFile(join(directory, 'pid'), 'utf8'))
  await expect.poll(() => isRunning(pid)).toBe(false)
  const profile = /^HOME=.*\/(.+)$/m.exec(await readFile(join(directory, 'env'), 'utf8'))?.[1]
  expect(profile).toMatch(/^nameplate-browser-/)
  expect(await readdir(tmpdir())).not.toContain(profile)
})

test('a browser has none of our settings', async () => {
  process.env['SEALING_KEYS_OF_TEST'] = 'k1:secret'
  await expect(takePicture({ ...ASKED, limits: { timeMs: 3_000 } })).rejects.toThrow()
  expect(await readFile(join(directory, 'env'), 'utf8')).not.toContain('secret')
})

test('a program that does not exist is a failure of its own', async () => {
  await expect(takePicture({ ...ASKED, program: join(directory, 'none') })).rejects.toThrow('the browser did not start')
})

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
