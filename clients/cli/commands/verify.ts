import { closeSync, openSync, readSync } from 'node:fs'
import type { Command } from 'commander'
import {
  BUNDLE_CHARACTERS_MAX,
  type CheckReport,
  checkBundle,
  checkPdf,
  describeFiledDecision,
  findAttachedBundle,
  findSavedHead,
  inWords,
  isPdf,
  PDF_BYTES_MAX,
  parsePublishedKeys,
} from '../evidence-check.ts'
import { printJson, wantsJson } from '../output.ts'
import { compareWithLog, type GrowthReport } from './verify-head.ts'
import { compareService, type KeySource, readKeys, type ServiceStep } from './verify-keys.ts'

const MARKS = { ok: '✓', failed: '✗', missing: '–' } as const

export function addVerifyCommand(program: Command): void {
  program
    .command('verify <file>')
    .description(
      'check an evidence document (PDF) or bundle: what is intact, since when, and by whom; needs no account',
    )
    .option('--keys <file>', 'the published keys in a file, to check without a network')
    .option('--keys-url <address>', 'where to fetch the published keys, instead of your own service')
    .option('--head', 'the file is a saved head of the log: compare it with the log of today')
    .action(async (file: string, options: KeySource & { head?: true }, command: Command) => {
      const bytes = readStart(file)
      // Never by the form of the file: a head that holds says nothing about a record that someone expects in it.
      if (options.head) return verifyHead(bytes.toString('utf8'), options, command)
      const text = isPdf(bytes) ? (findAttachedBundle(bytes) ?? '') : bytes.toString('utf8')
      const document = await readKeys(options)
      const published = parsePublishedKeys(document)
      const checked = isPdf(bytes)
        ? checkPdf(bytes, published)
        : checkBundle(text.slice(0, BUNDLE_CHARACTERS_MAX + 1), published)
      const report = withService(checked, compareService(text, document, options))
      if (wantsJson(command)) printJson(report)
      else {
        printSteps(report.steps)
        const { record } = report
        if (record && report.intact) {
          const { company_name: name, company_number: number, outcome } = record.answer
          console.log(`\n${record.question.domain}: ${outcome}${name ? `, ${name} (${number})` : ''}`)
          const decision = describeFiledDecision(record)
          if (decision) console.log(decision)
        }
        console.log(report.intact ? '\nThe record is intact.' : '\nDo not rely on this record.')
      }
      if (!report.intact) throw new NotIntact('The check failed.')
    })
}

async function verifyHead(text: string, options: KeySource, command: Command): Promise<void> {
  const head = findSavedHead(text)
  if (!head) throw new Error('The file is not a saved head of the log, as GET /v1/evidence/log/heads returns it.')
  const report = await compareWithLog(head, options)
  if (wantsJson(command)) printJson(report)
  else {
    printSteps(report.steps)
    console.log(`\n${concludeGrowth(report)}`)
  }
  if (!report.intact) throw new NotIntact('The check failed.')
}

function concludeGrowth({ intact, steps, since }: GrowthReport): string {
  if (since === null) return 'Do not rely on this file.'
  if (!intact) return 'Do not rely on this log. Keep the file: it shows the break.'
  if (steps.at(-1)?.result !== 'ok') return 'Not compared yet.'
  return `Nothing was removed or changed since ${inWords(since)}.`
}

function printSteps(steps: ReadonlyArray<{ result: keyof typeof MARKS; says: string }>): void {
  for (const { result, says } of steps) console.log(`${MARKS[result]} ${says}`)
}

class NotIntact extends Error {}

/** A file of another service is not to be relied on, whatever else holds. */
function withService(report: CheckReport, service: ServiceStep | null) {
  const { intact, steps, record } = report
  return service ? { intact: false, steps: [service, ...steps], record } : { intact, steps, record }
}

/** A byte more than a document may have is enough to refuse it. */
function readStart(file: string): Buffer {
  const opened = openSync(file, 'r')
  try {
    const bytes = Buffer.alloc(PDF_BYTES_MAX + 1)
    let length = 0
    for (let read = -1; read !== 0 && length < bytes.length; length += read) {
      read = readSync(opened, bytes, length, bytes.length - length, null)
    }
    return bytes.subarray(0, length)
  } finally {
    closeSync(opened)
  }
}
