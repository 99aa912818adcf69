import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DEPLOY } from './repository.ts'

interface Panel {
  id: number
  type: string
  title: string
  gridPos: { x: number; y: number; w: number; h: number }
  datasource?: { uid: string }
  targets?: Array<{ expr: string; refId: string }>
}

interface Dashboard {
  uid: string
  title: string
  templating: { list: Array<{ name: string; type: string }> }
  annotations: { list: Array<{ expr: string }> }
  panels: Panel[]
}

const COLUMNS = 24

export function readDashboard(): Dashboard {
  return JSON.parse(readFileSync(join(DEPLOY, 'grafana/nameplate.json'), 'utf8')) as Dashboard
}

/** Grafana would load it, every panel asks something, and none lies over another. */
export function checkDashboard(): string[] {
  const { panels, templating, uid } = readDashboard()
  const charts = panels.filter(({ type }) => type !== 'row')
  const asks = ({ targets = [] }: Panel) => targets.length > 0 && targets.every(({ expr, refId }) => expr && refId)
  const overlapping = panels.flatMap((one, index) => panels.slice(index + 1).filter((other) => overlaps(one, other)))
  const rules: Array<[boolean, string]> = [
    [uid === 'nameplate', 'it keeps its address'],
    [templating.list.some(({ name, type }) => name === 'datasource' && type === 'datasource'), 'Prometheus is chosen'],
    [new Set(panels.map(({ id }) => id)).size === panels.length, 'every panel has an id of its own'],
    [charts.every(({ datasource }) => datasource?.uid === '${datasource}'), 'every panel asks the chosen Prometheus'],
    [panels.every(({ gridPos }) => gridPos.x + gridPos.w <= COLUMNS), 'panels stay within the page'],
  ]
  return [
    ...rules.filter(([holds]) => !holds).map(([, rule]) => `nameplate.json: not so: ${rule}`),
    ...charts.filter((panel) => !asks(panel)).map(({ title }) => `${title} asks nothing`),
    ...overlapping.map(({ title }) => `${title} lies over another panel`),
  ]
}

function overlaps({ gridPos: a }: Panel, { gridPos: b }: Panel): boolean {
  return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h
}
