/** Pictures of quoted words: made after the answer from the kept page, in a browser without a network that runs nothing of it. */

import { once } from 'node:events'
import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { verifyBodies } from '../src/page-archive/index.ts'
import { picturePagesJob } from '../src/resolution/index.ts'
import { CHROMIUM, describeInBrowser } from './setup/chromium.ts'
import { newCompany, page } from './setup/companies.ts'
import { prepare, useTestService, WAIT } from './setup/harness.ts'

const directory = await mkdtemp(join(tmpdir(), 'nameplate-pictures-'))
afterAll(() => rm(directory, { recursive: true }))

/** The tests run as root, where Chromium has no sandbox of its own. */
async function writeProgram(name: string, command: string): Promise<string> {
  const path = join(directory, name)
  await writeFile(path, `#!/bin/sh\n${command}\n`)
  await chmod(path, 0o755)
  return path
}

const browser = await writeProgram('browser', `exec ${CHROMIUM ?? 'false'} --no-sandbox "$@"`)
const broken = await writeProgram('broken', 'exit 1')
const IN_DATABASE = { keepsIn: 'postgres', directory: null, s3: null } as const

function useAsking(it: ReturnType<typeof useTestService>) {
  const account = prepare(() => it.openAccount({ credits: 50 }))
  const resolve = async (domain: string) => {
    const { body } = await it.call('POST', '/v1/resolve/domain', { key: account.key, headers: WAIT, body: { domain } })
    return body as { resolution_id: string; outcome: string; evidence: Array<{ content_sha256: string }> }
  }
  const open = (id: string, query = '', key = account.key) =>
    fetch(new URL(`/v1/resolutions/${id}/picture${query}`, it.config.baseUrl), { headers: { 'x-api-key': key } })
  return { account, resolve, open }
}

const readSize = (png: Buffer) => ({ width: png.readUInt32BE(16), height: png.readUInt32BE(20) })

describeInBrowser('with a browser', () => {
  const it = useTestService({ pageArchive: { ...IN_DATABASE, browser } })
  const { account, resolve, open } = useAsking(it)

  test('quoted words get a picture; the page runs nothing, loads nothing and reaches no one', async () => {
    let reached = 0
    const server = createServer((socket) => {
      reached += 1
      socket.destroy()
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as { port: number }
    const there = `http://127.0.0.1:${port}`
    const company = await newCompany(it)
    const domain = `hostile-${company.number}.co.uk`
    const words = `${company.name}, registered in England and Wales, company number ${company.number}.`
    const hostile = `<script>document.body.remove(); fetch('${there}/a')</script><link rel="stylesheet" href="${there}/b">
      <link rel="preconnect" href="${there}"><img src="${there}/c" onerror="document.body.remove()"><iframe src="${there}/d"></iframe>
      <meta http-equiv="refresh" content="900; url=${there}/e"><p style="height: 3000px">Above</p>`
    it.web.setSite(domain, { pages: { '/': page(company.name, `${hostile} <footer>${words}</footer>`) } })
    const { resolution_id: id, evidence } = await resolve(domain)
    expect((await open(id)).status).toBe(404)
    await it.runJob(picturePagesJob)
    // At a full minute the schedule may be ahead of us, and still at work.
    const read = () => it.call('GET', `/v1/resolutions/${id}/picture`, { key: account.key })
    await expect.poll(async () => (await read()).status, { timeout: 30_000 }).toBe(200)
    server.close()
    expect(reached).toBe(0)

    const response = await open(id, `?page_sha256=${evidence[0]?.content_sha256}`)
    expect(response.headers.get('content-type')).toBe('image/png')
    const picture = Buffer.from(await response.arrayBuffer())
    expect(picture.subarray(1, 4).toString()).toBe('PNG')
    expect(readSize(picture).width).toBe(800)
    // Around the words, which are far down: a page without its body would be shorter.
    expect(readSize(picture).height).toBeGreaterThanOrEqual(300)
    expect(readSize(picture).height).toBeLessThanOrEqual(900)
    const left = (await readdir(tmpdir())).filter((name) => name.startsWith('nameplate-browser-'))
    expect(left).toEqual([])

    expect(await verifyBodies(it.app, () => undefined)).toMatchObject({ bodies: 2, damaged: 0, missing: 0 })
    expect((await open(id, `?page_sha256=${'0'.repeat(64)}`)).status).toBe(404)
    const short = await it.call('GET', `/v1/resolutions/${id}/picture?page_sha256=12`, { key: account.key })
    expect(short.status).toBe(400)
    const unknown = await it.call('GET', '/v1/resolutions/res_none/picture', { key: account.key })
    expect(unknown.status).toBe(404)
    expect(JSON.parse((await it.run('archive', 'delete', domain, '--json')).stdout)).toMatchObject({ bodies: 2 })
    expect((await open(id)).status).toBe(404)
    expect(await it.app.db.query('select from page_body')).toEqual([])
  })
})

describeInBrowser('with a browser that does not start', () => {
  const it = useTestService({ pageArchive: { ...IN_DATABASE, browser: broken } })
  const { resolve, open } = useAsking(it)

  test('an answer comes as always, and its page is tried twice and given up', async () => {
    const company = await newCompany(it)
    const { resolution_id: id, outcome } = await resolve(company.domain)
    expect(outcome).toBe('matched')
    for (let hour = 0; hour < 3; hour += 1) {
      await it.runJob(picturePagesJob)
      it.clock.advance(3_600)
    }
    expect((await open(id)).status).toBe(404)
    expect(await it.app.db.query('select attempts, sha256 from page_picture')).toEqual([{ attempts: 2, sha256: null }])
  })
})
