/** `node test/sheets/make-files.ts` writes the awkward tables of this folder again, each as some program writes it. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeWorkbook, row } from './handmade-workbook.ts'

const FOLDER = join(import.meta.dirname, 'files')
const write = (name: string, content: string | Uint8Array) => writeFileSync(join(FOLDER, name), content)
const lines = (list: readonly string[], end = '\r\n') => list.map((line) => line + end).join('')
const utf16 = (text: string, isBig: boolean) => {
  const bytes = Buffer.from(text, 'utf16le')
  return isBig ? bytes.swap16() : bytes
}

mkdirSync(FOLDER, { recursive: true })

// Text.
write(
  'semicolon.csv',
  lines([
    'Firma;Webseite;Umsatz',
    'Smith, Jones & Co Ltd;smithjones.co.uk;1.234,50',
    'Harbour, Lantern Ltd;harbourlantern.co.uk;2.000,00',
    'Copper, Kettle Ltd;copperkettle.co.uk;-3,00',
  ]),
)
write(
  'unicode-text.txt',
  utf16(
    `\uFEFF${lines(['Company\tE-mail\tTown', 'Café Straße Ltd\tinfo@cafe.co.uk\tYork', 'Bäcker & Sons Ltd\thello@baecker.co.uk\tBath'])}`,
    false,
  ),
)
write(
  'utf-16be-no-mark.csv',
  utf16(lines(['Company name,Postcode', 'Acme Tools Ltd,SW1A 1AA', 'Bravo Tools Ltd,E1 6AN']), true),
)
write('utf-8-mark.csv', `\uFEFF${lines(['Domain,Owner', 'acme.co.uk,Zoë', 'bravo.co.uk,Łukasz'], '\n')}`)
write(
  'quotes-and-line-breaks.csv',
  lines([
    '"Company","Website","Notes"',
    '"The ""Best"" Shop, Ltd","best.co.uk","first line\nsecond line, with a comma"',
    '5" Pipes Ltd,pipes.co.uk,say "hello" twice',
    '"Acme" Tools Ltd,acme.co.uk," spaces stay "',
    '"Windows\r\nLtd",windows.co.uk,',
  ]),
)
write(
  'windows-1252.csv',
  Buffer.from(
    lines(['Company,Website,Price', 'Caf\xe9 Ltd,cafe.co.uk,\x805', '\x93Quoted\x94 Ltd,quoted.co.uk,\xa37']),
    'latin1',
  ),
)
write(
  'pipe.csv',
  lines(
    [
      'account_name|website|crn',
      'Acme, Ltd|acme.co.uk|SC123456',
      'Bravo; Ltd|bravo.co.uk|08496536',
      'Charlie Ltd|charlie.co.uk|NI012345',
    ],
    '\n',
  ),
)
write(
  'ragged-rows.csv',
  lines([
    'Company,Website,,',
    'Acme Ltd,acme.co.uk',
    'Bravo Ltd,bravo.co.uk,extra,more,most',
    '',
    'Charlie Ltd',
    ',delta.co.uk,,',
    '',
    '',
  ]),
)
write(
  'mixed-kinds.csv',
  lines([
    'Input,Comment',
    'acme.co.uk,a domain',
    'jo@bravo.co.uk,a mailbox',
    '08496536,a number',
    'https://charlie.co.uk/about,an address',
    'Delta Tools Limited,a name',
  ]),
)
write(
  'duplicate-headers.csv',
  lines([
    'Name,Website,Website,Name',
    'Acme Ltd,acme.co.uk,acme-shop.co.uk,Jo',
    'Bravo Ltd,bravo.co.uk,bravo-shop.co.uk,Al',
  ]),
)
write('unknown-header.csv', lines(['Blorp', 'Harbour Lantern', 'Copper Kettle', 'Blue Fox']))
write('sep-line.csv', lines(['sep=;', 'Domain;Spend', 'acme.co.uk;1,5', 'bravo.co.uk;2,5']))
write(
  'only-spaces.csv',
  lines(['Company , Website,Empty', '  Acme Ltd  ,acme.co.uk, ', '   ,   ,   ', 'Bravo Ltd,bravo.co.uk,\t']),
)
write(
  'no-header.csv',
  lines(['acme.co.uk,Acme Ltd,E1 6AN', 'bravo.co.uk,Bravo Ltd,SW1A 1AA', 'charlie.co.uk,Charlie Ltd,M1 1AE'], '\n'),
)
write(
  'names-with-postcodes.csv',
  lines([
    'Supplier,Town,Post Code',
    'Harbour Lantern Coffee Roasters,Exmouth,EX8 6XX',
    'Copper Kettle,Leeds,LS1 4AP',
    'Blue Fox Trading,Hull,HU1 1AA',
  ]),
)
write(
  'lost-zeros.csv',
  lines(['Company Reg No,Amount', '6500244,100', '496536,200', '8496536.0,300', '"8,496,537",400', 'SC12345,500']),
)
write('old-mac.csv', lines(['Company,Domain', 'Acme Ltd,acme.co.uk', 'Bravo Ltd,bravo.co.uk'], '\r'))
write('pasted-list.txt', 'acme.co.uk, bravo.co.uk; jo@charlie.co.uk 08496536')
write(
  'apollo.csv',
  lines([
    'First Name,Last Name,Title,Company,Company Name for Emails,Email,Corporate Phone,# Employees,Industry,Website,Company Linkedin Url,Facebook Url,Company Postal Code',
    "Jo,Bloggs,CEO,Acme Ltd,Acme,jo@acme.co.uk,'+44 20 7946 0000,12,retail,http://www.acme.co.uk,http://www.linkedin.com/company/acme,http://facebook.com/acme,E1 6AN",
    "Al,Smith,COO,Bravo Ltd,Bravo,al@bravo.co.uk,'+44 20 7946 0001,90,retail,http://www.bravo.co.uk,http://www.linkedin.com/company/bravo,,SW1A 1AA",
  ]),
)
write(
  'hubspot.csv',
  `\uFEFF${lines(['"Record ID","Company name","Company Domain Name","Website URL","Create Date","Postal Code"', '"8496536001","Acme","acme.co.uk","acme.co.uk","2026-01-05 10:00","E1 6AN"', '"8496536002","Bravo","bravo.co.uk","bravo.co.uk","2026-01-06 10:00",""'], '\n')}`,
)

// Workbooks.
const link = (n: number) => ({ xml: `<c r="REF" t="inlineStr"><is><t>site ${n}</t></is></c>` })
const shared = (index: number) => ({ xml: `<c r="REF" t="s"><v>${index}</v></c>` })
const styled = (style: number, value: number | string) => ({ xml: `<c r="REF" s="${style}"><v>${value}</v></c>` })

write(
  'merged-header.xlsx',
  makeWorkbook({
    sheets: [
      {
        name: 'Suppliers',
        data:
          row(1, ['Suppliers of the north, November']) +
          row(3, ['Company', 'Reg. No.', 'Postcode']) +
          row(4, ['Acme Ltd', 'SC123456', 'E1 6AN']) +
          row(5, ['Bravo Ltd', '08496536', 'M1 1AE']),
        after: '<mergeCells count="1"><mergeCell ref="A1:C1"/></mergeCells>',
      },
    ],
  }),
)
write(
  'two-header-rows.xlsx',
  makeWorkbook({
    sheets: [
      {
        name: 'Sheet1',
        data:
          row(1, ['Company', null, 'Contact', null]) +
          row(2, ['Name', 'Number', 'Name', 'E-mail']) +
          row(3, ['Acme Ltd', '08496536', 'Jo', 'jo@acme.co.uk']) +
          row(4, ['Bravo Ltd', '08496537', 'Al', 'al@bravo.co.uk']),
        after: '<mergeCells count="2"><mergeCell ref="A1:B1"/><mergeCell ref="C1:D1"/></mergeCells>',
      },
    ],
  }),
)
write(
  'dates-for-numbers.xlsx',
  makeWorkbook({
    formats: [14, 'dd/mm/yyyy', '00000000', '0%', '[$£-809]#,##0.00'],
    sheets: [
      {
        name: 'Sheet1',
        data:
          row(1, ['Company number', 'Incorporated', 'Share', 'Spend']) +
          row(2, [styled(1, 123456), styled(2, 45352), styled(4, 0.25), styled(5, 1234.5)]) +
          row(3, [styled(1, 6500244), styled(2, 45353.5), styled(4, 1), styled(5, -2)]) +
          row(4, [styled(3, 496536), styled(2, 40000), styled(4, 0), styled(5, 0.1)]),
      },
    ],
  }),
)
write(
  'from-1904.xlsx',
  makeWorkbook({
    isFrom1904: true,
    formats: [14],
    sheets: [
      {
        name: 'Sheet1',
        data:
          row(1, ['Domain', 'Since']) +
          row(2, ['acme.co.uk', styled(1, 43890)]) +
          row(3, ['bravo.co.uk', styled(1, 43891)]),
      },
    ],
  }),
)
write(
  'lost-zeros.xlsx',
  makeWorkbook({
    sheets: [
      {
        name: 'Sheet1',
        data:
          row(1, ['CRN', 'Name']) +
          row(2, [8496536, 'Acme Ltd']) +
          row(3, [496536, 'Bravo Ltd']) +
          row(4, ['SC012345', 'Charlie Ltd']),
      },
    ],
  }),
)
write(
  'formulas.xlsx',
  makeWorkbook({
    sheets: [
      {
        name: 'Sheet1',
        data:
          row(1, ['Website', 'Domain', 'Sum', 'Flag', 'Failed', 'Never']) +
          [2, 3]
            .map((n) =>
              row(n, [
                `https://www.acme${n}.co.uk/`,
                { xml: `<c r="REF" t="str"><f>MID(A${n},13,99)</f><v>acme${n}.co.uk</v></c>` },
                { xml: `<c r="REF"><f>1+${n}</f><v>${n + 1}</v></c>` },
                { xml: '<c r="REF" t="b"><f>TRUE()</f><v>1</v></c>' },
                { xml: '<c r="REF" t="e"><f>NA()</f><v>#N/A</v></c>' },
                { xml: '<c r="REF"><f>NOW()</f></c>' },
              ]),
            )
            .join(''),
      },
    ],
  }),
)
write(
  'empty-columns.xlsx',
  makeWorkbook({
    sheets: [
      {
        name: 'Sheet1',
        data:
          row(2, [null, 'Company', null, null, 'Website']) +
          row(3, [null, 'Acme Ltd', null, null, 'acme.co.uk']) +
          row(9, [null, 'Bravo Ltd', null, null, 'bravo.co.uk']) +
          '<row r="1048576"><c r="A1048576" s="0"/></row>',
      },
    ],
  }),
)
write(
  'several-sheets.xlsx',
  makeWorkbook({
    sheets: [
      { name: 'Cover', data: '' },
      {
        name: 'Companies',
        data: row(1, ['Company', 'Domain']) + row(2, ['Acme Ltd', 'acme.co.uk']) + row(3, ['Bravo Ltd', 'bravo.co.uk']),
      },
      { name: 'Codes', state: 'hidden', data: row(1, ['Code']) + row(2, [1]) },
      { name: 'Cities &amp; towns', data: row(1, ['Town']) + row(2, ['York']) },
    ],
  }),
)
write(
  'hidden-rows.xlsx',
  makeWorkbook({
    sheets: [
      {
        name: 'Filtered',
        before: '<cols><col min="2" max="2" width="9" hidden="1"/><col min="9" max="16384" hidden="1"/></cols>',
        data:
          row(1, ['Company', 'Secret', 'Domain']) +
          row(2, ['Acme Ltd', 'x', 'acme.co.uk'], ' hidden="1"') +
          row(3, ['Bravo Ltd', 'y', 'bravo.co.uk']) +
          row(4, ['Charlie Ltd', 'z', 'charlie.co.uk'], ' hidden="true"'),
      },
    ],
  }),
)
write(
  'rich-text.xlsx',
  makeWorkbook({
    texts: [
      '<t>Company</t>',
      '<t>Domain</t>',
      '<r><t>Acme </t></r><r><rPr><b/></rPr><t xml:space="preserve">&amp; Sons </t></r><r><t>Ltd</t></r>',
      '<t>acme.co.uk</t>',
      '<t>東京 Ltd</t><rPh sb="0" eb="2"><t>トウキョウ</t></rPh>',
      '<t>tokyo.co.uk</t>',
      '<t xml:space="preserve">_x0041_x_x005F_x0041_\n</t>',
      '<t/>',
    ],
    sheets: [
      {
        name: 'Sheet1',
        data:
          row(1, [shared(0), shared(1)]) +
          row(2, [shared(2), shared(3)]) +
          row(3, [shared(4), shared(5)]) +
          row(4, [shared(6), shared(7)]),
      },
    ],
  }),
)
write(
  'links.xlsx',
  makeWorkbook({
    sheets: [
      {
        name: 'Sheet1',
        data: row(1, ['Company', 'Website']) + [2, 3, 4, 5].map((n) => row(n, [`Company ${n} Ltd`, link(n)])).join(''),
        after:
          '<hyperlinks><hyperlink ref="B2" r:id="rId1"/><hyperlink ref="B3:B4" r:id="rId2"/><hyperlink ref="B5" r:id="rId3"/></hyperlinks>',
        links: ['https://acme.co.uk/?a=1&amp;b=2', 'mailto:jo@bravo.co.uk', 'file:///c:/secret.txt'],
      },
    ],
  }),
)
write(
  'open-xml-sdk.xlsx',
  makeWorkbook({
    prefix: 'x:',
    isSheetFirst: true,
    sheets: [
      {
        name: 'Export',
        data: [
          ['Company', 'Website'],
          ['Acme Ltd', 'www.acme.co.uk'],
          ['Bravo Ltd', 'www.bravo.co.uk'],
        ]
          .map(
            (cells) =>
              `<x:row>${cells.map((cell) => `<x:c t="inlineStr">\n  <x:is><x:t>${cell}</x:t></x:is>\n</x:c>`).join('')}</x:row>`,
          )
          .join('\n'),
      },
    ],
  }),
)
write(
  'google-sheets.xlsx',
  makeWorkbook({
    texts: ['<t>Account Name</t>', '<t>Company Domain</t>', '<t>Acme Ltd</t>', '<t>acme.co.uk</t>'],
    sheets: [
      {
        name: 'Sheet1',
        before: '<sheetPr/><sheetViews><sheetView workbookViewId="0"/></sheetViews><sheetFormatPr customHeight="1"/>',
        data: `<row r="1"><c r="A1" s="0" t="s"><v>0</v></c><c r="B1" s="0" t="s"><v>1</v></c></row><row r="2"><c r="A2" t="s"><v>2</v></c><c r="B2" t="s"><v>3</v></c></row><row r="3"><c r="A3" t="str"><f t="shared" ref="A3:A3" si="0">A2&amp;" 2"</f><v>Acme Ltd 2</v></c><c r="B3" t="s"><v>3</v></c></row><row r="4" ht="15"/>`,
        after: '<drawing r:id="rId9"/>',
      },
    ],
  }),
)
write(
  'libreoffice.xlsx',
  makeWorkbook({
    texts: [
      '<t xml:space="preserve">Company</t>',
      '<t xml:space="preserve">Web</t>',
      '<t xml:space="preserve">Acme Ltd</t>',
      '<t xml:space="preserve">acme.co.uk</t>',
    ],
    formats: ['General', 'dd/mm/yy'],
    sheets: [
      {
        name: 'Tabelle1',
        before:
          '<dimension ref="A1:C1048576"/><cols><col collapsed="false" customWidth="false" hidden="false" min="1" max="1024" outlineLevel="0" style="0" width="11.53"/></cols>',
        data:
          [0, 2, 2]
            .map(
              (text, index) =>
                `<row customFormat="false" hidden="false" outlineLevel="0" r="${index + 1}"><c r="A${index + 1}" s="1" t="s"><v>${text}</v></c><c r="B${index + 1}" s="1" t="s"><v>${text + 1}</v></c><c r="C${index + 1}" s="2"/></row>`,
            )
            .join('') + '<row r="1048576"/>',
      },
    ],
  }),
)
