/** Pages that are made to break their reader. */
export interface Bomb {
  name: string
  make(): string
}

const MB = 2 ** 20
const numbers = (count: number) =>
  Array.from({ length: count }, (_, index) => `Company number ${String(index * 7 + 1_000_000).padStart(8, '0')}`)

export const BOMBS: readonly Bomb[] = [
  { name: '20 MB of paragraphs', make: () => '<p>Alder Ltd. Company number 01234567.</p>'.repeat((20 * MB) / 42) },
  { name: '100,000 nested boxes', make: () => `${'<div>'.repeat(100_000)}deep` },
  { name: '100,000 nested tables', make: () => '<table><tr><td>x'.repeat(100_000) },
  {
    name: 'a million attributes',
    make: () => `<p ${Array.from({ length: MB }, (_, index) => `a${index}`).join(' ')}>x`,
  },
  { name: 'a tag without an end', make: () => `<p ${'x'.repeat(20 * MB)}` },
  { name: 'a comment without an end', make: () => `<!--${'-'.repeat(20 * MB)}` },
  { name: 'a million company numbers in one paragraph', make: () => `<p>${numbers(150_000).join(', ')}` },
  { name: 'a paragraph for each of 100,000 numbers', make: () => `<p>${numbers(100_000).join('<p>')}` },
  {
    name: '100,000 different companies',
    make: () =>
      Array.from({ length: 100_000 }, (_, index) => `<p>Alder ${index} Limited, no. ${10_000_000 + index}`).join(''),
  },
  { name: 'one name of 2 MB', make: () => `<p>${'Alder '.repeat(350_000)}Limited` },
  {
    name: 'one sentence of 2 MB',
    make: () => `<p>this site is owned and operated by ${'we, and '.repeat(250_000)}Alder Ltd`,
  },
  { name: '2 MB of digits', make: () => `<p>${'0123456789'.repeat(200_000)}` },
  { name: '2 MB of digits with spaces', make: () => `<p>${'1 '.repeat(MB)}` },
  { name: '2 MB of brackets', make: () => `<p>${'('.repeat(MB)}${')'.repeat(MB)} Ltd` },
  { name: '2 MB of full stops', make: () => `<p>${'. '.repeat(MB)}Ltd` },
  { name: '2 MB of copyright signs', make: () => `<footer>${'© '.repeat(MB / 2)}` },
  { name: '2 MB of years', make: () => `<footer>${'© 2001-2026 '.repeat(150_000)}` },
  { name: '2 MB of postcodes', make: () => `<p>${'YO1 7AB '.repeat(250_000)}` },
  { name: '2 MB of endings', make: () => `<p>${'Ltd '.repeat(MB / 2)}` },
  { name: 'a title of 4 MB', make: () => `<title>${'Alder | '.repeat(MB / 2)}</title>` },
  { name: 'deep data for machines', make: () => `<script type="application/ld+json">${'[{"a":'.repeat(100_000)}` },
  {
    name: '50,000 organisations for machines',
    make: () =>
      `<script type="application/ld+json">[${Array.from({ length: 50_000 }, (_, index) => `{"@type":"Organization","legalName":"Alder ${index} Ltd","identifier":"${10_000_000 + index}"}`).join()}]</script>`,
  },
  { name: 'a million entities', make: () => `<p>${'&#x41;'.repeat(MB)}` },
  { name: 'a million rules of style', make: () => `<style>${'.a{display:none}'.repeat(250_000)}</style><p class=a>x` },
  { name: 'a million links', make: () => '<a href="/legal">Legal</a>'.repeat(150_000) },
  { name: 'letters that grow', make: () => `<p>${'\ufdfa'.repeat(1_300_000)}` },
]
