/** From the landing page to an exported file with no mouse: sign-up, a resolved domain, a decided review, two downloads. */
import type { BrowserContext, Page } from 'playwright-core'

const TABS_MAX = 120

/** The name of the focused element, as a screen reader would say it. */
const FOCUSED_NAME = `(() => {
  const element = document.activeElement
  const label = element.labels?.[0]?.innerText
  return (element.getAttribute('aria-label') ?? label ?? element.innerText ?? element.value ?? '').trim()
})()`

class Keyboard {
  keys = 0
  readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  async press(key: string): Promise<void> {
    this.keys += 1
    await this.page.keyboard.press(key)
  }

  /** Moves with Tab until an element whose name begins so has the focus. */
  async tabTo(name: string): Promise<void> {
    for (let tabs = 0; tabs < TABS_MAX; tabs += 1) {
      if (await this.#isAt(name)) return
      await this.press('Tab')
    }
    throw new Error(`Tab does not reach "${name}" at ${this.page.url()}`)
  }

  async open(name: string): Promise<void> {
    await this.tabTo(name)
    await this.press('Enter')
  }

  async type(name: string, text: string): Promise<void> {
    await this.tabTo(name)
    await this.page.keyboard.type(text)
  }

  async #isAt(name: string): Promise<boolean> {
    return String(await this.page.evaluate(FOCUSED_NAME)).startsWith(name)
  }
}

export interface Visitor {
  email: string
  password: string
}

/** Returns how many keys moved or acted; typed text is not counted. */
export async function walkByKeyboard(context: BrowserContext, site: string, visitor: Visitor): Promise<number> {
  const page = await context.newPage()
  const keyboard = new Keyboard(page)
  await page.goto(site)
  await keyboard.open('Start free')
  await signUp(keyboard, visitor)
  await keyboard.type('E-mail address', visitor.email)
  await keyboard.type('Password', visitor.password)
  await keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Which company is behind this domain?' }).waitFor()
  await resolveAndSave(keyboard)
  await review(keyboard)
  await keyboard.open('Usage')
  await saveBy(keyboard, 'Download as CSV')
  return keyboard.keys
}

async function signUp(keyboard: Keyboard, { email, password }: Visitor): Promise<void> {
  const { page } = keyboard
  await page.getByLabel('Password').waitFor()
  await keyboard.type('E-mail address', email)
  await keyboard.type('Password', password)
  await keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Check your mailbox' }).waitFor()
  await keyboard.open('mailbox')
  await page.locator('article', { hasText: email }).waitFor()
  await keyboard.open('Follow its link')
  await page.getByRole('button', { name: 'Verify my address' }).waitFor()
  await keyboard.open('Verify my address')
  await page.getByText('Your e-mail address is verified', { exact: false }).waitFor()
}

async function resolveAndSave(keyboard: Keyboard): Promise<void> {
  const { page } = keyboard
  await ask(keyboard, 'harbourlantern.co.uk')
  await page.getByRole('heading', { name: 'Proof' }).waitFor()
  await saveBy(keyboard, 'Signed document (PDF)')
}

async function ask(keyboard: Keyboard, domain: string): Promise<void> {
  await keyboard.tabTo('Domain, web address or e-mail address')
  await keyboard.press('ControlOrMeta+A')
  await keyboard.page.keyboard.type(domain)
  await keyboard.press('Enter')
}

async function saveBy(keyboard: Keyboard, name: string): Promise<void> {
  const saved = keyboard.page.waitForEvent('download')
  await keyboard.open(name)
  await saved
}

async function review(keyboard: Keyboard): Promise<void> {
  const { page } = keyboard
  await ask(keyboard, 'ropewalkpress.co.uk')
  await page.locator('a[href*="/review/"]', { hasText: 'Decide it' }).waitFor()
  await keyboard.open('Decide it')
  await page.getByRole('heading', { name: 'ropewalkpress.co.uk' }).waitFor()
  // The keys that the screen names: the first candidate, then accept.
  await keyboard.press('1')
  await keyboard.press('a')
  await page.getByRole('button', { name: 'Undo' }).waitFor()
}
