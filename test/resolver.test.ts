/** From a domain to the company behind it, over real sockets and the real register: the answer, and its proof. */
import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import type { SimulatedSite } from '../rig/web/index.ts'
import { QuestionRecorder, type Resolution, resolveDomain } from '../src/resolver/index.ts'
import type { WrittenQuestion } from '../src/resolver/second-reader/question-recorder.ts'
import type { Answer } from '../src/resolver/second-reader/task.ts'
import { useTestService } from './setup/harness.ts'

const COMPANIES = [
  { number: '04999990', name: 'HARROWGILL JOINERY LTD', postcode: 'LS1 4AP' },
  { number: '07777002', name: 'HARROWGILL KITCHENS LTD', postcode: 'LS9 8AB' },
  { number: '05820417', name: 'BRACKENMILL TEXTILES LIMITED', postcode: 'HG4 1AB' },
  { number: '03391764', name: 'OLD DUNNOCK BREWING LIMITED', postcode: 'HG4 1AC', status: 'dissolved' },
  { number: '09876543', name: 'PIXEL FOUNDRY LTD', postcode: 'M1 1AA' },
]

const TEXT = 'We make things by hand in our own workshop, and we send them wherever people like them. '.repeat(5)

function page(brand: string, footer: string, main = ''): string {
  return `<!doctype html><html lang="en"><head><title>${brand}</title></head><body><header><a class="logo" href="/">${brand}</a></header>
    <main><p>${TEXT}</p>${main}</main><footer>${footer} <a href="/legal">Legal</a> <a href="/shop">Shop</a> <a href="/news">News</a></footer></body></html>`
}

const one = (brand: string, footer: string): SimulatedSite => ({
  pages: { '/': page(brand, footer), '/legal': page(`Legal | ${brand}`, footer) },
})

const CREDIT = 'Website by Pixel Foundry Ltd. Company No. 09876543.'
const HOME = page('Harrowgill Joinery', `<p>© 2026 Harrowgill Joinery</p><p>${CREDIT}</p>`)
const LEGAL = page(
  'Legal',
  `<p>${CREDIT}</p>`,
  '<p>Harrowgill Joinery Ltd is registered in England and Wales, company number 04999990. Registered office: 1 High Street, Leeds LS1 4AP.</p>',
)

const SITES: Record<string, SimulatedSite> = {
  'harrowgilljoinery.co.uk': { pages: { '/': HOME, '/legal': LEGAL } },
  'harrowgill.co.uk': one(
    'Harrowgill',
    'Harrowgill Joinery Ltd, registered in England 04999990. Harrowgill Kitchens Ltd, registered in England 07777002.',
  ),
  'brackenmill.co.uk': one('Brackenmill Textiles', '© Brackenmill Textiles Limited'),
  'larchandlinen.co.uk': one(
    'Larch and Linen',
    'When you order from Larch and Linen you buy from Brackenmill Textiles Limited.',
  ),
  'olddunnock.co.uk': one('Old Dunnock Brewing', 'Old Dunnock Brewing Limited, company number 03391764'),
  'brackenmill-secure.co.uk': {
    ...one('Brackenmill Textiles', '© Brackenmill'),
    certificate: {
      CN: 'brackenmill-secure.co.uk',
      O: 'Brackenmill Textiles Limited',
      serialNumber: '05820417',
      jurisdictionC: 'GB',
    },
  },
  'old-harrowgill.co.uk': { redirects: { '/': 'https://harrowgilljoinery.co.uk/' } },
  'harrowgill-social.co.uk': { redirects: { '/': 'https://www.facebook.com/harrowgill' } },
  'facebook.com': { pages: { '/harrowgill': page('Harrowgill', 'Harrowgill Joinery Ltd 04999990') } },
  'holzbau.co.uk': one('Holzbau', 'Holzbau GmbH, Amtsgericht Berlin HRB 123456'),
  'parked.co.uk': {
    pages: {
      '/': '<title>parked.co.uk</title><p>This domain is for sale.</p><p>Pixel Foundry Ltd, company number 09876543</p>',
    },
  },
  'diary.co.uk': one('My garden', 'Today the first tomatoes turned red.'),
  'wall.co.uk': { responses: { '/': { status: 403, body: '<h1>Forbidden</h1>' } } },
  'closed.co.uk': { http: 'refused', https: 'refused' },
}

const it = useTestService({ companies: COMPANIES, sites: SITES })

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const inTenths = (bits: number) => Math.round(bits * 10)

describe('a site that proves whose it is', () => {
  let answer: Resolution
  beforeAll(async () => {
    answer = await resolveDomain(it.app, 'harrowgilljoinery.co.uk')
  })

  test('is matched with its company', () => {
    expect(answer).toMatchObject({
      domain: 'harrowgilljoinery.co.uk',
      outcome: 'matched',
      situation: 'proven',
      company: { number: '04999990', name: 'HARROWGILL JOINERY LTD' },
      reason: expect.stringContaining('04999990'),
    })
    expect(answer.confidence).toBeGreaterThan(0.95)
    expect(answer.confidence).toBeLessThan(1)
  })

  test('the evidence is what the page said: words, address, time, and the hash of what was served', () => {
    const [best] = answer.evidence
    expect(best).toMatchObject({
      kind: 'company_number',
      supports: '04999990',
      strength: 'decisive',
      url: 'https://harrowgilljoinery.co.uk/legal',
      contentSha256: sha256(LEGAL),
    })
    expect(best?.quote).toContain('Harrowgill Joinery Ltd is registered in England and Wales, company number 04999990')
    expect(Math.abs(Date.now() - Number(best?.fetchedAt))).toBeLessThan(60_000)
    expect(answer.crawl.pages).toContainEqual(
      expect.objectContaining({ url: 'https://harrowgilljoinery.co.uk/', status: 200, sha256: sha256(HOME) }),
    )
  })

  test('who is named and not meant is shown too', () => {
    const against = answer.evidence.filter(({ strength }) => strength === 'against')
    expect(against).toMatchObject([{ supports: '09876543', quote: expect.stringContaining('Website by') }])
    expect(answer.explanation.runnerUp).toMatchObject({ companyNumber: '09876543' })
  })

  test('the explanation adds up', () => {
    const { prior, features, total, runnerUp, margin } = answer.explanation
    const sum = features.reduce((tenths, { weight }) => tenths + inTenths(weight), inTenths(prior))
    expect(inTenths(total)).toBe(sum)
    expect(inTenths(margin ?? 0)).toBe(inTenths(total) - inTenths(runnerUp?.total ?? 0))
  })
})

describe('every other answer says why', () => {
  test.each<[string, Resolution['outcome'], Resolution['situation'], RegExp, string[]]>([
    ['harrowgill.co.uk', 'needs_review', 'several', /2 companies/, ['04999990', '07777002']],
    ['brackenmill.co.uk', 'needs_review', 'named', /neither its number nor its registered office/, ['05820417']],
    ['olddunnock.co.uk', 'needs_review', 'dissolved', /dissolved/, ['03391764']],
    ['brackenmill-secure.co.uk', 'matched', 'proven', /certificate/, ['05820417']],
    ['harrowgill-social.co.uk', 'no_match', 'nobody', /facebook\.com, a social network/, []],
    ['parked.co.uk', 'no_match', 'nobody', /for sale/, []],
    ['diary.co.uk', 'no_match', 'nobody', /no company/, []],
    ['holzbau.co.uk', 'non_uk_entity', 'foreign', /Germany/, []],
    ['never-registered.co.uk', 'scrape_failed', 'unread', /does not resolve/, []],
    ['wall.co.uk', 'scrape_failed', 'unread', /./, []],
    ['closed.co.uk', 'scrape_failed', 'unread', /./, []],
  ])('%s: %s (%s)', async (domain, outcome, situation, reason, numbers) => {
    const answer = await resolveDomain(it.app, domain)
    expect(answer).toMatchObject({ domain, outcome, situation, reason: expect.stringMatching(reason) })
    expect(answer.candidates.map(({ company }) => company.number)).toEqual(numbers)
    expect(answer.company?.number ?? null).toBe(outcome === 'matched' ? numbers[0] : null)
    expect(answer.confidence === null).toBe(numbers.length === 0)
    for (const { reasons, confidence } of answer.candidates) {
      expect(reasons.length).toBeGreaterThan(0)
      expect(confidence).toBeLessThan(1)
    }
  })

  test('a domain that leads to another is answered by what stands there, and says so', async () => {
    const answer = await resolveDomain(it.app, 'old-harrowgill.co.uk')
    expect(answer).toMatchObject({
      domain: 'old-harrowgill.co.uk',
      outcome: 'matched',
      company: { number: '04999990' },
      crawl: { redirectedTo: 'harrowgilljoinery.co.uk' },
    })
  })

  test('a site that cannot be read speaks neither for a company nor against one', async () => {
    const { evidence, explanation, crawl } = await resolveDomain(it.app, 'never-registered.co.uk')
    expect([evidence, explanation.features, explanation.total]).toEqual([[], [], explanation.prior])
    expect(crawl.pages).toEqual([])
  })
})

describe('a hostile site costs a bounded time and bounded memory', () => {
  const MB = 1_000_000
  /** A gzip file of a hundred members, a gigabyte when unpacked. */
  function bomb(): Buffer<ArrayBuffer> {
    const member = gzipSync(Buffer.alloc(10 * MB, '<p>Acme Ltd '))
    return Buffer.concat(Array.from({ length: 100 }, () => member))
  }
  const body = (html: string): SimulatedSite => ({ responses: { '/': { body: html } } })

  test.each<[string, () => SimulatedSite]>([
    ['a page of 20 MB', () => body(page('Acme', `<p>Acme Ltd, company number 04999990</p>`.repeat(500_000)))],
    ['a gzip bomb', () => ({ responses: { '/': { body: bomb(), headers: { 'content-encoding': 'gzip' } } } })],
    [
      'no gzip where it says so',
      () => ({ responses: { '/': { body: TEXT, headers: { 'content-encoding': 'gzip' } } } }),
    ],
  ])('%s', async (what, create) => {
    const domain = `hostile-${sha256(what).slice(0, 8)}.co.uk`
    it.web.setSite(domain, create())
    const before = process.memoryUsage.rss()
    let peak = before
    const watch = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage.rss())
    }, 50)
    const { outcome } = await resolveDomain(it.app, domain)
    clearInterval(watch)
    it.web.setSite(domain, null)
    expect(['no_match', 'needs_review', 'scrape_failed']).toContain(outcome)
    expect((Math.max(peak, process.memoryUsage.rss()) - before) / MB).toBeLessThan(300)
  })
})

describe('the command line', () => {
  test('resolve takes what is pasted and answers in a few lines', async () => {
    const { code, stdout } = await it.run('resolve', 'https://www.HarrowgillJoinery.co.uk/doors?x=1')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^harrowgilljoinery\.co\.uk: matched\n/)
    expect(stdout).toMatch(/HARROWGILL JOINERY LTD, 04999990, active\. Confidence \d\d/)
    expect(stdout.trim().split('\n').length).toBeLessThanOrEqual(5)
  })

  test('--explain shows quotes, weights that add up, and the pages read', async () => {
    const { code, stdout } = await it.run('resolve', 'harrowgilljoinery.co.uk', '--explain')
    expect(code).toBe(0)
    expect(stdout).toContain('“Harrowgill Joinery Ltd is registered in England and Wales, company number 04999990')
    expect(stdout).toContain(`https://harrowgilljoinery.co.uk/legal`)
    expect(stdout).toContain(`sha256 ${sha256(LEGAL).slice(0, 12)}`)
    expect(stdout).toContain('Website by Pixel Foundry Ltd')
    const bits = [...stdout.matchAll(/^ +([+-]?\d+\.\d) {2}\S/gm)].map((line) => inTenths(Number(line[1])))
    expect(bits.length).toBeGreaterThan(2)
    expect(bits.slice(0, -1).reduce((sum, weight) => sum + weight, 0)).toBe(bits.at(-1))
  })

  test('candidates are listed when a person must look', async () => {
    const { stdout } = await it.run('resolve', 'harrowgill.co.uk')
    expect(stdout).toContain('harrowgill.co.uk: needs review')
    expect(stdout).toMatch(/HARROWGILL KITCHENS LTD, 07777002: \d+/)
  })

  test('--json is one document with the whole answer', async () => {
    const { code, stdout } = await it.run('resolve', 'harrowgilljoinery.co.uk', '--json')
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      domain: 'harrowgilljoinery.co.uk',
      outcome: 'matched',
      company: { number: '04999990' },
      evidence: [{ supports: '04999990', contentSha256: sha256(LEGAL) }, {}],
      explanation: { runnerUp: { companyNumber: '09876543' } },
      crawl: { finding: 'read' },
    })
  })

  test.each([
    ['ann@gmail.com', 'free e-mail provider'],
    ['127.0.0.1', 'IP address'],
    ['co.uk', 'Enter the whole domain'],
    ['not a domain', 'not a'],
  ])('%s is refused with 1 and the reason', async (pasted, why) => {
    const { code, stdout, stderr } = await it.run('resolve', pasted)
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain(why)
  })
})

describe('with a second reader', () => {
  class Reader extends QuestionRecorder {
    readonly #answers: readonly Answer[]

    constructor(...answers: Answer[]) {
      super()
      this.#answers = answers
    }

    protected override answer({ task }: WrittenQuestion): Answer | null {
      return this.#answers.find((one) => one.task === task) ?? null
    }
  }

  const found: Answer = {
    task: 'find',
    decision: 'match',
    company_number: '05820417',
    role: 'operator',
    quote: 'When you order from Larch and Linen you buy from Brackenmill Textiles Limited.',
    why: 'Orders are with that company',
    certainty: 0.9,
  }
  const objection: Answer = {
    task: 'check',
    decision: 'object',
    company_number: '04999990',
    quote: CREDIT,
    why: 'It is a web designer’s site',
    certainty: 0.9,
  }
  const ask = (domain: string, reader: Reader) => resolveDomain({ ...it.app, secondReader: reader }, domain)

  test('what the rules left open is matched by words that are on the page', async () => {
    expect(await ask('larchandlinen.co.uk', new Reader(found))).toMatchObject({
      outcome: 'matched',
      company: { number: '05820417' },
      evidence: expect.arrayContaining([
        expect.objectContaining({ kind: 'second_reader', quote: found.quote, url: 'https://larchandlinen.co.uk/' }),
      ]),
    })
  })

  test('a copyright line with a name alone stays open', async () => {
    const line = { ...found, quote: '© Brackenmill Textiles Limited' }
    expect(await ask('brackenmill.co.uk', new Reader(line))).toMatchObject({ outcome: 'needs_review' })
  })

  test('a match to which it objects goes to a person', async () => {
    expect(await ask('harrowgilljoinery.co.uk', new Reader(objection))).toMatchObject({
      outcome: 'needs_review',
      situation: 'objected',
      candidates: [{ company: { number: '04999990' } }],
    })
  })

  test('words that are not on a page, and no answer at all, change nothing', async () => {
    const lie = { ...found, quote: 'Brackenmill is operated by Brackenmill Textiles Limited.' }
    const [ruled, lied, silent] = await Promise.all([
      resolveDomain(it.app, 'brackenmill.co.uk'),
      ask('brackenmill.co.uk', new Reader(lie)),
      ask('brackenmill.co.uk', new Reader()),
    ])
    for (const answer of [lied, silent])
      expect(answer).toMatchObject({ outcome: ruled.outcome, reason: ruled.reason, confidence: ruled.confidence })
  })

  test('it is asked only about sites with a company, with a question of bounded length', async () => {
    const reader = new Reader()
    for (const domain of ['brackenmill.co.uk', 'diary.co.uk', 'closed.co.uk']) await ask(domain, reader)
    expect(reader.questions.map(({ domain, task }) => [domain, task])).toEqual([['brackenmill.co.uk', 'find']])
    expect(reader.questions[0]?.prompt.text.length).toBeLessThan(8_000)
  })
})
