/** Decide what no site proves, and say where a match is wrong: screens of the console, in a real browser. */
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { describeInBrowser } from './setup/chromium.ts'
import { ALDER, BRACKEN, page as pageOf, publish, siteNaming, siteOf } from './setup/companies.ts'
import { useConsole } from './setup/console.ts'
import { prepare, type TestAccount, useTestService } from './setup/harness.ts'
import { reviewCalls } from './setup/reviews.ts'

const CEDAR = { number: '09104417', name: 'CEDARWICK BASKETS LIMITED', postcode: 'HG4 1AC' }
const FORMER = { ...BRACKEN, number: '02910446', postcode: 'LS1 4AP', status: 'dissolved' }
const NORTH = { number: '08120555', name: 'BRACKENMILL TEXTILES (NORTH) LIMITED', postcode: 'YO1 7HH' }
const WORDS = `© 2026 ${BRACKEN.name}. Brackenmill cloth is woven by ${NORTH.name}.`
const doubtful = () => ({ pages: { '/': pageOf(BRACKEN.name, WORDS), '/legal': pageOf('Legal', WORDS) } })

describeInBrowser('Review', () => {
  const it = useTestService({ companies: [ALDER, BRACKEN, FORMER, NORTH, CEDAR] })
  const calls = reviewCalls(it)
  const newcomer = prepare(() => it.openAccount())
  const owner = prepare(() => it.openAccount({ credits: 40 }))
  const { open, testScreen } = useConsole(it, { newcomer, owner })
  let openId: string
  let decidedId: string
  beforeAll(async () => {
    openId = (await withReview(owner, doubtful())).id
    await withReview(owner)
    const { id } = await withReview(owner)
    await calls.decide(owner, id, { action: 'reject', reviewer: 'Ann Archer', reason: 'Only a reseller.' })
    await calls.decide(owner, id, { action: 'accept', reviewer: 'Ben Baker', reason: 'Their invoices name it.' })
    decidedId = id
  })

  /** A domain on the account's list. */
  async function withReview(account: TestAccount, site = siteNaming(BRACKEN)): Promise<{ id: string; domain: string }> {
    const domain = publish(it.web, site)
    await calls.ask(account, domain)
    return { id: (await calls.find(account, domain)).id, domain }
  }
  const answerOf = async (account: TestAccount, domain: string) => (await calls.ask(account, domain)).body
  const ask = async (page: Page, domain: string) => {
    await page.getByLabel('Domain, web address or e-mail address').fill(domain)
    await page.getByRole('button', { name: 'Find the company' }).click()
  }

  testScreen({
    name: 'review',
    path: '/review',
    call: '/v1/reviews',
    emptySays: 'Nothing to decide',
    fullSays: 'decided today',
  })
  testScreen({
    name: 'reviewed',
    path: '/review?status=decided',
    call: '/v1/reviews',
    emptySays: 'No decisions yet',
    fullSays: /^Accepted/,
  })
  testScreen({
    name: 'decide',
    path: () => `/review/${openId}`,
    call: '/v1/reviews/rev_',
    fullSays: 'Which company is it?',
  })
  testScreen({
    name: 'decided',
    path: () => `/review/${decidedId}`,
    call: '/v1/reviews/rev_',
    fullSays: /^Your decision:/,
  })

  test('a candidate is accepted by one key, the next domain follows, and the decision is shown with who, when and why', async () => {
    const person = await it.openAccount({ credits: 5 })
    const [first, second] = [await withReview(person), await withReview(person)]
    const { window, page } = await open(person, '/review')
    await page.getByRole('link', { name: first.domain, exact: false }).first().click()
    await page.getByText('The site prints the registered name').first().waitFor()
    await page.locator('blockquote mark').first().waitFor()
    await page.getByText(`The site does not print the number ${BRACKEN.number}.`).first().waitFor()
    expect(await page.getByLabel('Reviewer').inputValue()).toBe(person.email)
    await page.getByLabel('Reason').fill('Their invoices name it.')
    await page.locator('main').focus()
    await page.keyboard.press('1')
    await page.getByRole('button', { name: `Accept ${BRACKEN.name}` }).waitFor()
    await window.expectGood('decide-chosen')
    await page.keyboard.press('a')
    await page.getByRole('heading', { name: second.domain, level: 1 }).waitFor()
    await page.getByText(`${first.domain}: ${BRACKEN.name} (${BRACKEN.number}).`).waitFor()
    expect(await answerOf(person, first.domain)).toMatchObject({
      outcome: 'matched',
      company: { company_number: BRACKEN.number },
      decided_by: { action: 'accept', reviewer: person.email, reason: 'Their invoices name it.' },
    })

    await page.getByRole('button', { name: 'None of these' }).click()
    await page.getByText('Nothing to decide').waitFor()
    await page.getByText('2 of 2 decided today').waitFor()
    expect(await answerOf(person, second.domain)).toMatchObject({
      outcome: 'no_match',
      decided_by: { action: 'reject' },
    })
    expect((await it.creditsOf(person)).available).toBe(5)

    await page.getByRole('radio', { name: 'Decided' }).check()
    await page.getByRole('link', { name: first.domain, exact: false }).first().click()
    const own = page.getByRole('region', { name: 'Your decision in force' })
    await own.getByText('“Their invoices name it.”').waitFor()
    await own.getByText(`${person.email}, `, { exact: false }).waitFor()
    expect(window.complaints).toEqual([])
  })

  test('a site that names no company is not shown to agree with the register', async () => {
    const person = await it.openAccount()
    const title = 'Cedarwick Baskets'
    const { id } = await withReview(person, {
      pages: { '/': pageOf(title, '© 2026'), '/legal': pageOf(title, 'Terms') },
    })
    const { window, page } = await open(person, `/review/${id}`)
    await page.getByText('The site has no words about this company that we can compare with the register.').waitFor()
    expect(await page.getByText('agree with the register', { exact: false }).count()).toBe(0)
    await window.expectGood('decide-namesake')
  })

  test('keys go through the queue, undo the last decision, and are listed; the same works by hand', async () => {
    const person = await it.openAccount()
    const domains = [await withReview(person), await withReview(person), await withReview(person)]
    const { window, page } = await open(person, '/review')
    const heading = (name: string) => page.getByRole('heading', { name, level: 1 }).waitFor()
    const shown = page.locator('.review-domain')
    await expect.poll(() => shown.count()).toBe(domains.length)
    const [first = '', second = ''] = await shown.allTextContents()
    await page.keyboard.press('j')
    await heading(first)
    await page.keyboard.press('j')
    await heading(second)
    await page.keyboard.press('k')
    await heading(first)
    await page.keyboard.press('r')
    await heading(second)
    await page.keyboard.press('u')
    await heading(first)
    await page.getByText(`The decision on ${first} is taken back.`).waitFor()
    expect(await answerOf(person, first)).toMatchObject({ outcome: 'needs_review', decided_by: null })
    await page.keyboard.press('a')
    await heading(second)
    await page.getByRole('button', { name: 'Undo' }).click()
    await heading(first)
    expect(await answerOf(person, first)).toMatchObject({ decided_by: null })
    await page.keyboard.press('/')
    await expect.poll(() => page.getByLabel('Search').evaluate((field) => field.matches(':focus'))).toBe(true)
    await page.locator('main').focus()
    await page.keyboard.press('?')
    await page.getByRole('dialog').getByText('Undo the last decision').waitFor()
    await window.expectGood('desk-keys')
    await page.keyboard.press('Escape')
    // G and a letter opens another screen, and the letter is no key of the desk.
    await page.keyboard.press('g')
    await page.keyboard.press('r')
    await page.getByLabel('Domain, web address or e-mail address').waitFor()
    expect(await answerOf(person, first)).toMatchObject({ decided_by: null })
  })

  test('the same decision is made for what is like it, after a look at each, and taken back at once', async () => {
    const person = await it.openAccount()
    const [first, second, third] = [await withReview(person), await withReview(person), await withReview(person)]
    const { window, page } = await open(person, `/review/${first.id}`)
    await page.getByRole('button', { name: 'Same decision for these 2 like it' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(`Their best candidate is ${BRACKEN.name} too.`).waitFor()
    await dialog.getByText('The site does not print the number', { exact: false }).first().waitFor()
    await window.expectGoodInBothThemes('desk-together')
    await dialog.getByRole('checkbox', { name: third.domain, exact: false }).uncheck()
    await dialog.getByRole('button', { name: `Accept for ${first.domain} and 1 other` }).click()
    await page.getByText('2 domains decided.').waitFor()
    await page.getByRole('heading', { name: third.domain, level: 1 }).waitFor()
    for (const { domain } of [first, second]) expect((await answerOf(person, domain)).outcome).toBe('matched')
    expect((await answerOf(person, third.domain)).outcome).toBe('needs_review')
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('2 decisions taken back.').waitFor()
    for (const { domain } of [first, second]) expect((await answerOf(person, domain)).decided_by).toBeNull()
  })

  test('the button counts what it decides, and a doubt in common decides nothing until it is ticked', async () => {
    const person = await it.openAccount()
    const [first, second] = [await withReview(person), await withReview(person)]
    const other = await withReview(person, siteNaming(CEDAR))
    const { window, page } = await open(person, `/review/${first.id}`)
    await page.getByRole('button', { name: 'Same decision for the one like it' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(second.domain).waitFor()
    await dialog.getByText('1 of 1 ticked').waitFor()
    await dialog.getByRole('radio', { name: 'Same doubt (1)' }).check()
    await dialog.getByText('0 of 1 ticked').waitFor()
    expect(await dialog.getByRole('button', { name: /and 0 others$/ }).isDisabled()).toBe(true)
    await window.go(`/review/${other.id}`)
    await page.getByRole('button', { name: 'Same decision for others with this doubt (2)' }).waitFor()
  })

  test('search and filters are in the address, and a colleague who opens it sees the same', async () => {
    const person = await it.openAccount()
    await withReview(person)
    const other = await withReview(person, siteNaming(CEDAR))
    const { page } = await open(person, '/review')
    const entries = page.locator('.review-entry')
    await expect.poll(() => entries.count()).toBe(2)
    await page.getByLabel('Search').fill('cedarwick')
    await expect.poll(() => entries.count()).toBe(1)
    await page.getByText('Filter and sort').click()
    await page.getByLabel('Kind of doubt').selectOption('named')
    await expect.poll(() => new URL(page.url()).search).toBe('?q=cedarwick&doubt=named')
    await entries.first().click()
    await page.getByRole('heading', { name: other.domain, level: 1 }).waitFor()
    const address = new URL(page.url())
    const { window: phone, page: again } = await open(
      person,
      `${address.pathname.replace('/console', '')}${address.search}`,
      {
        width: 390,
        height: 844,
      },
    )
    await again.getByRole('heading', { name: other.domain, level: 1 }).waitFor()
    await phone.expectGood('desk-phone')
    await again.getByRole('link', { name: 'All reviews' }).click()
    await expect.poll(() => again.locator('.review-entry').count()).toBe(1)
    await again.getByLabel('Search').fill('nothing like it')
    await again.getByText('No review fits').waitFor()
    await phone.expectGood('desk-none-fits')
    await again.getByRole('button', { name: 'Clear filters' }).first().click()
    await expect.poll(() => again.locator('.review-entry').count()).toBe(2)
  })

  test('another company of the register is found by its name or given by its number; one that is not there is refused', async () => {
    const person = await it.openAccount()
    const [first, second] = [await withReview(person), await withReview(person)]
    const { window, page } = await open(person, `/review/${first.id}`)
    await page.getByText('Another company', { exact: true }).click()
    await page.getByRole('searchbox', { name: 'Name or number' }).fill('cedarwick')
    await page.getByRole('button', { name: /CEDARWICK BASKETS/ }).click()
    await page.getByLabel('Reviewer').fill('Zoe')
    await window.expectGood('decide-another')
    await page.getByRole('button', { name: `Accept ${CEDAR.name}` }).click()
    await page.getByRole('heading', { name: second.domain, level: 1 }).waitFor()
    expect(await answerOf(person, first.domain)).toMatchObject({
      company: { company_number: CEDAR.number },
      decided_by: { action: 'reassign', reviewer: 'Zoe' },
    })

    expect(await page.getByLabel('Reviewer').inputValue()).toBe('Zoe')
    await page.locator('main').focus()
    await page.keyboard.press('o')
    await page.getByRole('searchbox', { name: 'Name or number' }).fill('00000001')
    await page.getByRole('button', { name: 'Accept 00000001' }).click()
    await page.getByText('The register has no company 00000001', { exact: false }).waitFor()
    await page.getByRole('searchbox', { name: 'Name or number' }).fill('9104417')
    await page.getByRole('button', { name: `Accept ${CEDAR.number}` }).click()
    await page.getByText('Nothing to decide').waitFor()
    expect((await answerOf(person, second.domain)).company.company_number).toBe(CEDAR.number)
  })

  test('a decision is withdrawn after a question, and decided differently; what was before is kept in sight', async () => {
    const person = await it.openAccount()
    const { id, domain } = await withReview(person)
    await calls.decide(person, id, { action: 'reject', reason: 'A reseller.' })
    const { window, page } = await open(person, `/review/${id}`)
    await page.getByRole('button', { name: 'Withdraw it' }).click()
    await window.expectGood('decide-withdraw')
    await page.getByRole('dialog').getByRole('button', { name: 'Withdraw it' }).click()
    await page.getByText(`The decision on ${domain} is withdrawn.`).waitFor()
    await page.getByText('Which company is it?').waitFor()
    await page.getByRole('heading', { name: 'Earlier decisions' }).waitFor()
    expect(await answerOf(person, domain)).toMatchObject({ outcome: 'needs_review', decided_by: null })

    await calls.decide(person, id, { action: 'reject' })
    await page.reload()
    await page.getByText('Change the decision').click()
    await page.locator('main').focus()
    await page.keyboard.press('1')
    await page.getByRole('button', { name: `Accept ${BRACKEN.name}` }).click()
    await page.getByRole('heading', { name: /^Your decision: Accepted/ }).waitFor()
    expect(await answerOf(person, domain)).toMatchObject({ outcome: 'matched' })
  })

  test('undo after a changed decision brings the earlier one back, and the same decision again leaves nothing to undo', async () => {
    const person = await it.openAccount()
    const { id, domain } = await withReview(person)
    await calls.decide(person, id, { action: 'reject', reviewer: 'Ann Archer', reason: 'A reseller.' })
    const { page } = await open(person, `/review/${id}`)
    const accept = page.getByRole('button', { name: `Accept ${BRACKEN.name}` })
    await page.getByText('Change the decision').click()
    await page.locator('main').focus()
    await page.keyboard.press('1')
    await accept.click()
    await page.getByRole('heading', { name: /^Your decision: Accepted/ }).waitFor()
    await accept.click()
    await page.getByText(`${domain}: ${BRACKEN.name} (${BRACKEN.number}), as before.`).waitFor()
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0)
    await page.locator('main').focus()
    await page.keyboard.press('u')
    await page.getByText(`The decision on ${domain} is taken back.`).waitFor()
    await page.getByRole('heading', { name: 'Your decision: Rejected all candidates' }).waitFor()
    expect(await answerOf(person, domain)).toMatchObject({
      decided_by: { action: 'reject', reviewer: 'Ann Archer', reason: 'A reseller.' },
    })
  })

  test('undo and “Withdraw it” leave a decision alone that a colleague made meanwhile, and say so', async () => {
    const person = await it.openAccount()
    const { id, domain } = await withReview(person)
    const { window, page } = await open(person, `/review/${id}`)
    const left = page.getByText(`The decision on ${domain} was changed since then, and stays as it is now.`)
    const shown = () => page.getByRole('heading', { name: `Your decision: Chose ${CEDAR.number}` }).waitFor()
    await page.getByRole('button', { name: `Accept ${BRACKEN.name}` }).click()
    await page.getByText('Nothing to decide').waitFor()
    await calls.decide(person, id, { action: 'reassign', company_number: CEDAR.number })
    await page.locator('main').focus()
    await page.keyboard.press('u')
    await left.waitFor()
    await shown()
    expect((await answerOf(person, domain)).company.company_number).toBe(CEDAR.number)

    // The same on a page that was opened before the colleague's decision.
    await calls.decide(person, id, { action: 'reject' })
    await page.reload()
    await page.getByRole('button', { name: 'Withdraw it' }).click()
    await calls.decide(person, id, { action: 'reassign', company_number: CEDAR.number })
    await page.getByRole('dialog').getByRole('button', { name: 'Withdraw it' }).click()
    await left.waitFor()
    await shown()
    expect((await answerOf(person, domain)).company.company_number).toBe(CEDAR.number)
    await window.expectGood('decide-left')
  })

  test('undo of many decisions leaves those alone that were changed meanwhile, also one that had replaced another', async () => {
    const person = await it.openAccount()
    const [first, second, third] = [await withReview(person), await withReview(person), await withReview(person)]
    const { page } = await open(person, `/review/${first.id}`)
    await page.getByRole('button', { name: 'Same decision for these 2 like it' }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: `Accept for ${first.domain} and 2 others` })
      .click()
    await page.getByText('3 domains decided.').waitFor()
    await calls.decide(person, second.id, { action: 'reject' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('2 decisions taken back. 1 decision changed since then and left alone.').waitFor()
    expect((await answerOf(person, second.domain)).decided_by.action).toBe('reject')
    expect((await answerOf(person, third.domain)).decided_by).toBeNull()

    await page.goto(page.url().replace(first.id, second.id))
    await page.getByText('Change the decision').click()
    await page.locator('main').focus()
    await page.keyboard.press('1')
    await page.getByRole('button', { name: `Accept ${BRACKEN.name}` }).click()
    await page.getByRole('heading', { name: /^Your decision: Accepted/ }).waitFor()
    await calls.decide(person, second.id, { action: 'reassign', company_number: CEDAR.number })
    await page.locator('main').focus()
    await page.keyboard.press('u')
    await page.getByText(`The decision on ${second.domain} was changed since then`, { exact: false }).waitFor()
    expect((await answerOf(person, second.domain)).company.company_number).toBe(CEDAR.number)
  })

  test('one can be skipped, and a long list is read page by page', async () => {
    const person = await it.openAccount({ credits: 50 })
    const domains = Array.from({ length: 22 }, () => publish(it.web, siteNaming(BRACKEN)))
    await it.call('POST', '/v1/bulk', { key: person.key, body: { domains } })
    await expect.poll(() => calls.list(person, '?limit=100')).toHaveLength(22)
    const { page } = await open(person, '/review')
    const entries = page.locator('.reviews > li')
    await expect.poll(() => entries.count()).toBe(20)
    await page.getByRole('button', { name: 'More domains' }).click()
    await expect.poll(() => entries.count()).toBe(22)
    const shown = await page.locator('.review-domain').allTextContents()
    expect(new Set(shown)).toEqual(new Set(domains))
    await entries.first().getByRole('link').click()
    await page.getByRole('link', { name: `Skip to ${shown[1]}` }).click()
    await page.getByRole('heading', { name: shown[1] ?? '', level: 1 }).waitFor()
    expect(await calls.list(person, '?limit=100')).toHaveLength(22)
  })

  test('a review that is not there, or not yours, says so', async () => {
    const { page } = await open(newcomer, `/review/${openId}`)
    await page.getByText('Review not found').waitFor()
  })

  test('a wrong match is disputed where it is shown: the credit comes back, and the answer changes', async () => {
    const person = await it.openAccount({ credits: 3 })
    const domain = publish(it.web, siteOf(ALDER))
    const { window, page } = await open(person, '/')
    await ask(page, domain)
    await page.getByText('2 credits available').waitFor()
    await page.getByRole('button', { name: 'This is wrong' }).click()
    await page.getByLabel('What is wrong?').fill('They sold the shop.')
    await window.expectGoodInBothThemes('resolve-dispute')
    await page.getByRole('button', { name: 'Cancel' }).click()
    expect((await it.creditsOf(person)).available).toBe(2)

    await page.getByRole('button', { name: 'This is wrong' }).click()
    await page.getByLabel('What is wrong?').fill('They sold the shop.')
    await page.getByRole('button', { name: 'Dispute the match' }).click()
    await page.getByText('We refunded one credit. You have 3 credits available.').waitFor()
    await page.getByText(`You will not get ${ALDER.name} for ${domain} again.`).waitFor()
    await page.locator('.foot').getByText('3 credits available').waitFor()
    await window.expectGoodInBothThemes('resolve-disputed')
    await page.getByRole('button', { name: 'Show the new answer' }).click()
    await page.getByText('Your decision: Disputed the match').waitFor()
    await page.getByText('“They sold the shop.”').waitFor()
    expect(await page.getByRole('button', { name: 'This is wrong' }).count()).toBe(0)
    await window.expectGoodInBothThemes('resolve-own-decision')
    await page.getByRole('link', { name: 'See or change it in Review' }).click()
    await page.getByRole('heading', { name: `Your decision: Disputed the match with ${ALDER.number}` }).waitFor()
    expect((await it.creditsOf(person)).available).toBe(3)
  })

  test('the right company is given with the dispute, and answered from then on', async () => {
    const person = await it.openAccount({ credits: 3 })
    const domain = publish(it.web, siteOf(ALDER))
    const { page } = await open(person, '/')
    await ask(page, domain)
    await page.getByRole('button', { name: 'This is wrong' }).click()
    await page.getByLabel('The right company, if you know it').fill('cedarwick')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: /CEDARWICK BASKETS/ }).click()
    await page.getByRole('button', { name: 'Dispute the match' }).click()
    await page.getByText(`You get ${CEDAR.number} instead, free of charge.`, { exact: false }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('heading', { name: CEDAR.name }).waitFor()
    await page.getByText(`Your decision: Disputed the match and chose ${CEDAR.name} (${CEDAR.number})`).waitFor()
  })

  test('an answer that needs review leads to its place in the list', async () => {
    const person = await it.openAccount()
    const { domain } = await withReview(person)
    const { page } = await open(person, '/')
    await ask(page, domain)
    const link = page.getByRole('link', { name: 'Decide it' })
    await expect.poll(() => link.getAttribute('href')).toMatch(/^\/console\/review\/rev_/)
    await link.click()
    await page.getByRole('heading', { name: domain, level: 1 }).waitFor()
  })
})
