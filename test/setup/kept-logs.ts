/**
 * One folder for a whole run: every log line of every service that the suite starts, and beside them every secret that
 * has passed through the tests. After the run the one must not hold the other.
 */
import { appendFileSync, closeSync, openSync, readdirSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { type Leak, SECRET_LENGTH_MIN, type Secret, searchFor } from './leaks.ts'

const LOG = 'log-'
const SECRETS = 'secrets-'

export interface KeptLog {
  write(text: string | Buffer): void
  close(): void
}

/** Written at once, so that the lines of a process that is killed are there too. */
export function openKeptLog(directory: string): KeptLog {
  const file = openSync(join(directory, `${LOG}${process.pid}-${randomName()}`), 'a')
  let isOpen = true
  return {
    // A process may still say something while its test is already done with it.
    write: (text) => void (isOpen && writeSync(file, text as string)),
    close: () => {
      if (isOpen) closeSync(file)
      isOpen = false
    },
  }
}

const planted = new Set<string>()
const notes = `${SECRETS}${process.pid}-${randomName()}`

/** From now on this must stand in no log. */
export function plantSecret(directory: string, secret: Secret): void {
  if (secret.value.length < SECRET_LENGTH_MIN || planted.has(secret.value)) return
  planted.add(secret.value)
  appendFileSync(join(directory, notes), `${JSON.stringify(secret)}\n`)
}

export interface LogCheck {
  services: number
  lines: number
  bytes: number
  secrets: number
  leaks: Array<Leak & { line: string }>
}

const NEWLINE = 10

export function checkKeptLogs(directory: string): LogCheck {
  const secrets = new Map<string, Secret>()
  for (const text of filesOf(directory, SECRETS).map(String)) {
    for (const line of text.split('\n').filter(Boolean)) {
      const secret = JSON.parse(line) as Secret
      secrets.set(secret.value, secret)
    }
  }
  const search = searchFor([...secrets.values()])
  const check: LogCheck = { services: 0, lines: 0, bytes: 0, secrets: secrets.size, leaks: [] }
  for (const text of filesOf(directory, LOG)) {
    check.services += 1
    check.bytes += text.length
    for (const byte of text) if (byte === NEWLINE) check.lines += 1
    check.leaks.push(...search(text).map((leak) => ({ ...leak, line: lineAt(text, leak.at) })))
  }
  return check
}

export function describeCheck({ services, lines, bytes, secrets, leaks }: LogCheck): string {
  const size = `${lines} log lines (${(bytes / 1e6).toFixed(1)} MB) of ${services} services`
  return `${size}, ${secrets} secrets looked for, ${leaks.length} found`
}

function filesOf(directory: string, prefix: string): Buffer[] {
  const names = readdirSync(directory).filter((name) => name.startsWith(prefix))
  return names.map((name) => readFileSync(join(directory, name)))
}

function lineAt(text: Buffer, at: number): string {
  const end = text.indexOf(NEWLINE, at)
  return text.subarray(text.lastIndexOf(NEWLINE, at) + 1, end === -1 ? text.length : end).toString()
}

function randomName(): string {
  return Math.random().toString(36).slice(2)
}
