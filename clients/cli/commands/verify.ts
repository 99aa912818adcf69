import { closeSync, openSync, readSync } from 'node:fs'
import type { Command } from 'commander'
import {
  type CheckReport,
  checkFile,
  describeFiledDecision,
  PDF_BYTES_MAX,
  parsePublishedKeys,
  readBundleText,
} from '../evidence-check.ts'
import { printJson, wantsJson } from '../output.ts'
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
    .action(async (file: string, options: KeySource, command: Command) => {
      const bytes = readStart(file)
      const document = await readKeys(options)
      const checked = checkFile(bytes, parsePublishedKeys(document))
      const report = withService(checked, compareService(readBundleText(bytes), document, options))
      if (wantsJson(command)) printJson(report)
      else {
        for (const { result, says } of report.steps) console.log(`${MARKS[result]} ${says}`)
        const { record } = report
        if (record && report.intact) {
          const { company_name: name, company_number: number, outcome } = record.answer
          console.log(`\n${record.question.domain}: ${outcome}${name ? `, ${name} (${number})` : ''}`)
          const decision = describeFiledDecision(record)
          if (decision) console.log(decision)
        }
        console.log(report.intact ? '\nThe record is intact.' : '\nDo not rely on this record.')
      }
      if (!report.intact) throw new Error('The check failed.')
    })
}

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
