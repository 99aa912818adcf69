import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { takePicture } from './passage-picture.ts'

const directory = await mkdtemp(join(tmpdir(), 'nameplate-silent-'))
afterAll(() => rm(directory, { recursive: true }))

/** Says nothing, and writes its id and its environment. */
const program = await writeProgram('silent', `echo $$ > ${directory}/pid\nenv > ${directory}/env\nexec sleep 600`)

const ASKED = { program, body: Buffer.from('<p>words</p>'), contentType: 'text/html', passages: ['words'] }

test.each([
  [{ timeMs: 3_000 }, 'the page took longer than 3000 ms'],
  [{ memoryBytes: 1, timeMs: 60_000 }, 'the page took too much memory'],
])('a browser beyond %j is killed with its profile', async (limits, says) => {
  await expect(takePicture({ ...ASKED, limits })).rejects.toThrow(says)
  const pid = Number(await readFile(join(directory, 'pid'), 'utf8'))
  await expect.poll(() => isRunning(pid)).toBe(false)
  await expectNoProfile()
})

test('a browser has none of our settings', async () => {
  process.env['SEALING_KEYS_OF_TEST'] = 'k1:secret'
  await expect(takePicture({ ...ASKED, limits: { timeMs: 3_000 } })).rejects.toThrow()
  expect(await readFile(join(directory, 'env'), 'utf8')).not.toContain('secret')
})

test('a program that does not exist is a failure of its own', async () => {
  await expect(takePicture({ ...ASKED, program: join(directory, 'none') })).rejects.toThrow('the browser did not start')
})

const CHROMIUM = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find((path) => existsSync(path))

test.skipIf(!CHROMIUM && !process.env['CI'])(
  'a page runs nothing, loads nothing and reaches no one, and its words are in the picture',
  async () => {
    let reached = 0
    const server = createServer((socket) => {
      reached += 1
      socket.destroy()
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as { port: number }
    const there = `http://127.0.0.1:${port}`
    const body =
      Buffer.from(`<script>document.body.remove(); fetch('${there}/a')</script><link rel="stylesheet" href="${there}/b">
      <link rel="preconnect" href="${there}"><img src="${there}/c" onerror="document.body.remove()"><iframe src="${there}/d"></iframe>
      <meta http-equiv="refresh" content="900; url=${there}/e"><p style="height: 3000px">Above</p><footer>The words.</footer>`)
    // Tests run as root, where Chromium has no sandbox of its own.
    const chromium = await writeProgram('browser', `env > ${directory}/env\nexec ${CHROMIUM} --no-sandbox "$@"`)
    const asked = { program: chromium, body, contentType: 'text/html', limits: { timeMs: 60_000 } }
    const picture = await takePicture({ ...asked, passages: ['The words.'] })
    expect(await takePicture({ ...asked, passages: ['Other words.'] })).toBeNull()
    server.close()
    expect(reached).toBe(0)
    expect(picture?.subarray(1, 4).toString()).toBe('PNG')
    expect(picture?.readUInt32BE(16)).toBe(800)
    // Around the words, which are far down: a page without its body would be shorter.
    expect(picture?.readUInt32BE(20)).toBeGreaterThanOrEqual(300)
    expect(picture?.readUInt32BE(20)).toBeLessThanOrEqual(900)
    await expectNoProfile()
  },
  130_000,
)

async function expectNoProfile(): Promise<void> {
  const profile = /^HOME=.*\/(.+)$/m.exec(await readFile(join(directory, 'env'), 'utf8'))?.[1]
  expect(profile).toMatch(/^nameplate-browser-/)
  expect(await readdir(tmpdir())).not.toContain(profile)
}

async function writeProgram(name: string, command: string): Promise<string> {
  const path = join(directory, name)
  await writeFile(path, `#!/bin/sh\n${command}\n`)
  await chmod(path, 0o755)
  return path
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
