import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findPromtool } from './promtool.ts'
import { DEPLOY, readYaml } from './repository.ts'

export interface Alert {
  alert: string
  expr: string
  for: string
  labels: { severity: string }
  annotations: { summary: string; description: string; runbook_url: string }
}

const FOLDER = join(DEPLOY, 'prometheus')

export function readAlerts(): Alert[] {
  const { groups } = readYaml(FOLDER, 'alerts.yaml') as { groups: Array<{ rules: Alert[] }> }
  return groups.flatMap(({ rules }) => rules)
}

/** promtool accepts rules and configuration, and each alert fires on what its test says. */
export function checkAlerts(): string[] {
  return [...findFormProblems(readAlerts()), ...askPromtool()]
}

function findFormProblems(alerts: readonly Alert[]): string[] {
  const tests = readFileSync(join(FOLDER, 'alerts.test.yaml'), 'utf8')
  return alerts.flatMap(({ alert, for: time, labels, annotations }) => {
    const rules: Array<[boolean, string]> = [
      [time !== undefined, 'it waits a while before it fires'],
      [['critical', 'warning'].includes(labels.severity), 'it is critical or a warning'],
      [Boolean(annotations.summary && annotations.description), 'it says what happens'],
      [annotations.runbook_url.endsWith(`/docs/runbook.md#${alert.toLowerCase()}`), 'it leads to its section'],
      [tests.includes(`{alertname="${alert}"}`), 'a test makes it fire'],
    ]
    return rules.filter(([holds]) => !holds).map(([, rule]) => `${alert}: not so: ${rule}`)
  })
}

function askPromtool(): string[] {
  const promtool = findPromtool()
  if (!promtool) {
    // Continuous integration has it: there, what is missing is a failure.
    if (process.env['CI']) return ['promtool is missing, and apt-get could not bring it']
    console.log('  promtool is missing: rules are not checked (apt-get install prometheus)')
    return []
  }
  const folder = mkdtempSync(join(tmpdir(), 'nameplate-alerts-'))
  try {
    cpSync(FOLDER, folder, { recursive: true })
    writeFileSync(join(folder, 'metrics-token'), 'a token')
    return [
      ['check', 'rules', 'alerts.yaml'],
      ['check', 'config', 'prometheus.yaml'],
      ['test', 'rules', 'alerts.test.yaml'],
    ].flatMap((flags) => {
      const { status, stdout, stderr } = spawnSync(promtool, flags, { cwd: folder, encoding: 'utf8' })
      return status === 0 ? [] : [`promtool ${flags.join(' ')}: ${stdout}${stderr}`]
    })
  } finally {
    rmSync(folder, { recursive: true })
  }
}
