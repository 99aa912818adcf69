/** The check of the suite's logs finds what it should: a planted leak in every form, and no other. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createLog } from '../../src/lib/log.ts'
import { checkKeptLogs, describeCheck, openKeptLog, plantSecret } from '../setup/kept-logs.ts'

const PASSWORD = 'plum/orchard "seventeen" ü'
const KEY = 'np_live_4fJq0aVx81PzLw27'

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'nameplate-kept-logs-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  plantSecret(folder, { name: 'password', value: `${PASSWORD} ${folder}` })
  plantSecret(folder, { name: 'API key', value: `${KEY}${folder.slice(-6)}` })
  return folder
}

function leaksOf(folder: string, line: string) {
  const kept = openKeptLog(folder)
  kept.write(`{"event":"before"}\n${line}\n{"event":"after"}\n`)
  kept.close()
  return checkKeptLogs(folder).leaks.map((leak) => ({ secret: leak.secret, line: leak.line }))
}

test('a leak is found in whatever form it was written', () => {
  const folder = newFolder()
  const password = `${PASSWORD} ${folder}`
  const key = `${KEY}${folder.slice(-6)}`
  const forms = {
    'as it is': password,
    'in JSON': JSON.stringify({ event: 'planted', password }),
    'in an address': `/reset?token=${encodeURIComponent(password)}`,
    'in a form': new URLSearchParams({ password }).toString(),
    hexadecimal: Buffer.from(password).toString('hex'),
    'in base64': Buffer.from(password).toString('base64'),
    'in a basic credential': `Basic ${Buffer.from(`a:${password}`).toString('base64')}`,
    'behind two characters': `Basic ${Buffer.from(`ab${password}z`).toString('base64')}`,
    'in base64url': Buffer.from(password).toString('base64url'),
  }
  for (const [name, text] of Object.entries(forms)) {
    expect(leaksOf(folder, text), name).toContainEqual({ secret: 'password', line: text })
  }
  expect(leaksOf(folder, `{"key":"${key}"}`)).toContainEqual({ secret: 'API key', line: `{"key":"${key}"}` })
})

test('a clean log is counted, and what the log redacts is clean', () => {
  const folder = newFolder()
  const kept = openKeptLog(folder)
  const log = createLog({ level: 'trace', destination: kept })
  log.info({ event: 'login', password: `${PASSWORD} ${folder}`, body: { api_key: `${KEY}${folder.slice(-6)}` } })
  log.info({ event: 'ordinary', key_prefix: KEY.slice(0, 12) })
  kept.close()
  const check = checkKeptLogs(folder)
  expect(describeCheck(check)).toMatch(/^2 log lines \(0\.0 MB\) of 1 services, 2 secrets looked for, 0 found$/)
})
