import { execFile, execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BULK_HEADER } from '../rig/companies-house/bulk-row.ts'
import { formatCsvLine } from '../rig/companies-house/csv.ts'
import { openWorld } from '../rig/world.ts'

const ROOT = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'nameplate-accuracy-test-'))
const world = join(folder, 'tiny')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const COMPANIES: Record<string, string> = {
  '07214938': 'ALDERFINCH JOINERY LIMITED',
  '05820417': 'BRACKENMILL TEXTILES LIMITED',
  '09163025': 'CORRIEVALE OPTICS LIMITED',
  '03391764': 'DUNNOCK & WREN BREWING COMPANY LIMITED',
}

function write(path: string, text: string): void {
  mkdirSync(dirname(join(world, path)), { recursive: true })
  writeFileSync(join(world, path), text)
}

function registerRow(number: string, name: string): string {
  const fields = Array.from({ length: 55 }, () => '')
  const office = ['', '', `${Number(number) % 90} MILL LANE`, '', 'RIPON', 'NORTH YORKSHIRE', 'ENGLAND', 'HG4 1AA']
  const kind = ['Private Limited Company', 'Active', 'United Kingdom', '', '14/03/2011']
  fields.splice(0, 15, name, number, ...office, ...kind)
  return formatCsvLine(fields)
}

function disclosure(number: string): string {
  const name = COMPANIES[number] ?? ''
  return `<!doctype html><html lang="en"><title>${name}</title><h1>Welcome</h1>
    <p>We have been making fine things by hand in our workshop in Ripon for many years, and we deliver them everywhere.</p>
    <footer>© 2026 ${name}. Registered in England and Wales. Company number ${number}.
    Registered office: ${Number(number) % 90} Mill Lane, Ripon, North Yorkshire, HG4 1AA.</footer></html>`
}

// The label of brackenmill.co.uk is wrong on purpose: what the site proves then counts as a wrong match.
const LABELS = `domain,outcome,company_number,accept,stratum,note
alderfinch.co.uk,matched,07214938,,footer_plain,
brackenmill.co.uk,matched,09163025,,mislabelled,
dunnockandwren.co.uk,matched,03391764,,footer_plain,
grandads-garden-diary.co.uk,no_match,,,hobby,
never-registered.co.uk,scrape_failed,,,nxdomain,
`
const WEBSITES = `company_number,status,domain,stratum,note
07214938,verified,alderfinch.co.uk,guessable_domain,
05820417,not_found,,no_site,
09163025,not_found,,no_site,
`

beforeAll(() => {
  const rows = Object.entries(COMPANIES).map(([number, name]) => registerRow(number, name))
  write('register.csv', `${[BULK_HEADER, ...rows].join('\n')}\n`)
  write('labels.csv', LABELS)
  write('websites.csv', WEBSITES)
  write('sites/alderfinch.co.uk/index.html', disclosure('07214938'))
  write('sites/brackenmill.co.uk/index.html', disclosure('05820417'))
  write('sites/dunnockandwren.co.uk/index.html', disclosure('03391764'))
  write(
    'sites/grandads-garden-diary.co.uk/index.html',
    '<!doctype html><title>My garden</title><h1>The diary</h1><p>Today the first tomatoes turned red, and the neighbour’s cat slept in the rhubarb again. I write about my garden for my grandchildren, and for nobody else. Tomorrow the beans, if the rain holds off until the evening.</p>',
  )
})

interface Run {
  code: number
  stdout: string
  stderr: string
}

function accuracy(...argv: string[]): Promise<Run> {
  return new Promise((resolve) => {
    const program = [join(ROOT, 'tools/accuracy.ts'), ...argv]
    execFile(process.execPath, program, { cwd: folder }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code ?? -1) : 0, stdout, stderr })
    })
  })
}

function pack(...contents: string[]): string {
  const archive = join(folder, 'packed.tar.gz')
  execFileSync('tar', ['czf', archive, ...contents])
  return archive
}

describe('the accuracy command', () => {
  test('scores a world, in every form of the report', async () => {
    const run = await accuracy(
      world,
      '--json',
      '--folds',
      '2',
      '--without-own-cues',
      '--out',
      'r.html',
      '--markdown',
      'r.md',
      '--dump',
      'a.jsonl',
    )
    expect(run.code, run.stderr).toBe(0)
    const figures = JSON.parse(run.stdout.trim().split('\n').at(-1) ?? '') as Record<string, unknown>
    expect(figures).toMatchObject({
      sites: 5,
      wrong_matches: 1,
      precision: 0.666667,
      precision_lower: 0.20766,
      recall: 0.666667,
      outcome_accuracy: 0.8,
      review_rate: 0,
      ece: expect.any(Number),
      reverse: { precision: 0.5, recall: 1, wrong: 1, guessed: { precision: 0.5, recall: 1, wrong: 1 } },
      strata: {
        footer_plain: { sites: 2, right: 2, wrong_matches: 0, recall: 1, outcome_accuracy: 1 },
        mislabelled: { sites: 1, right: 0, wrong_matches: 1, recall: 0, outcome_accuracy: 0 },
        hobby: { sites: 1, right: 1, wrong_matches: 0, recall: null, outcome_accuracy: 1 },
        nxdomain: { sites: 1, right: 1, wrong_matches: 0, recall: null, outcome_accuracy: 1 },
      },
      seconds: expect.any(Number),
      recall_only_match: 0.666667,
      cues_off: [],
      explanation_gap_max: expect.any(Number),
      intervals: { precision: [0, 1], recall: [0, 1], outcome_accuracy: [expect.any(Number), 1] },
      shapes: { shapes: 4, right: 3, with_wrong_match: 1, right_share: 0.75, means: { recall: 0.5 } },
      // The label of brackenmill.co.uk names a company of another name.
      by_name: {
        own_name: { sites: 2, wrong_matches: 0, recall: 1 },
        stranger: { sites: 1, wrong_matches: 1, recall: 0 },
        no_company: { sites: 2, outcome_accuracy: 1 },
      },
      confusion: { matched: { matched: 3 }, no_match: { no_match: 1 }, scrape_failed: { scrape_failed: 1 } },
    })
    const page = readFileSync(join(folder, 'r.html'), 'utf8')
    for (const words of [
      'Accuracy on tiny',
      '<svg',
      'brackenmill.co.uk',
      'mislabelled',
      'BRACKENMILL TEXTILES LIMITED',
      'Pages read',
      'Own names and strangers',
      'made up, or modelled',
      'this world taught none',
    ]) {
      expect(page).toContain(words)
    }
    // Self-contained: nothing is fetched, nothing runs.
    expect(page).not.toMatch(/<script|<link|src=/)
    const markdown = readFileSync(join(folder, 'r.md'), 'utf8')
    expect(markdown).toMatch(/^# Accuracy\n\n[\s\S]*The sites are made up, or modelled on real pages/)
    // Unseen figures come before those of the world.
    expect(markdown).toMatch(/## On sites that the rules had not seen[\s\S]*exam-1[\s\S]*## The world tiny/)
    const lines = readFileSync(join(folder, 'a.jsonl'), 'utf8').trim().split('\n')
    const answers = lines.map(
      (line) => JSON.parse(line) as { domain: string; naming: string; resolution: { outcome: string } },
    )
    expect(answers.map(({ naming }) => naming)).toEqual([
      'own_name',
      'stranger',
      'own_name',
      'no_company',
      'no_company',
    ])
    expect(new Map(answers.map(({ domain, resolution }) => [domain, resolution.outcome]))).toEqual(
      new Map([
        ['alderfinch.co.uk', 'matched'],
        ['brackenmill.co.uk', 'matched'],
        ['dunnockandwren.co.uk', 'matched'],
        ['grandads-garden-diary.co.uk', 'no_match'],
        ['never-registered.co.uk', 'scrape_failed'],
      ]),
    )
  })

  test('takes an archive of a folder, a part of it, and says it in words', async () => {
    const run = await accuracy(pack('-C', folder, 'tiny'), '--only', 'mislabelled')
    expect(run.code, run.stderr).toBe(0)
    expect(run.stdout).toContain('Accuracy on packed (only mislabelled)')
    expect(run.stdout).toMatch(/✗ brackenmill\.co\.uk.*mislabelled.*matched 09163025.*matched 05820417/)
    expect(run.stdout).not.toContain('alderfinch.co.uk')
  })

  test('opens an archive of the files themselves as the same world', () => {
    using opened = openWorld(pack('-C', world, '.'))
    using plain = openWorld(world)
    expect([opened.labels, opened.websites]).toEqual([plain.labels, plain.websites])
    expect(readFileSync(join(opened.folder, 'register.csv'))).toEqual(readFileSync(join(world, 'register.csv')))
  })

  test('wrong usage ends with 2, a folder that is no world with 1, and both say why', async () => {
    const none = await accuracy()
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('world')])
    const count = await accuracy(world, '--concurrency', 'many')
    expect([count.code, count.stderr]).toEqual([2, expect.stringContaining('whole number')])
    const empty = await accuracy(tmpdir())
    expect([empty.code, empty.stderr]).toEqual([1, expect.stringContaining('is not a world')])
    const help = await accuracy('--help')
    expect([help.code, help.stdout]).toEqual([0, expect.stringContaining('Examples:')])
  })
})
