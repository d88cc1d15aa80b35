/**
 * What the rows were compared with. None of it is a law: where a reference and the law differ, the law is right and
 * the row is to be mended. What no reference speaks of stays unchecked and is listed in docs/design/tax.md.
 */
export interface Reference {
  title: string;
  url: string;
  /** The day that its figures are of, as it says itself; the year's end where it names only the year. */
  asOf: string;
  /** It tells the steps through time too, not only what held on that day. */
  isHistory?: boolean;
  /**
   * What it confirms: a country (`DE`), a part of one (`CA-ON`), or whether a US state taxes a category
   * (`US-TX/saas`), apart by spaces.
   */
  confirms: string;
}

/** The day on which all of them were read, in stored copies. */
export const READ_ON = '2026-11-21';

const EU = 'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK';

function each(prefix: string, regions: string, suffix = ''): string {
  return regions
    .split(' ')
    .map((region) => `${prefix}-${region}${suffix}`)
    .join(' ');
}

const RATES_BY_COUNTRY: readonly Reference[] = [
  {
    title: 'Standard VAT rates since 1967, after TEDB and the Commission’s booklet “VAT rates applied”',
    url: 'https://raw.githubusercontent.com/vatnode/eu-vat-rates-data/main/data/eu-vat-rates-history.json',
    asOf: '2026-09-23',
    isHistory: true,
    confirms: EU,
  },
  {
    title: 'European VAT rates, after TEDB and national authorities',
    url: 'https://github.com/vatnode/eu-vat-rates-data-js',
    asOf: '2026-08-22',
    confirms: 'AD AL BA CH GB GE IS LI MD ME MK NO RS TR UA XK',
  },
  {
    title: 'VAT rates with territories',
    url: 'https://github.com/kdeldycke/vat-rates',
    asOf: '2025-09-25',
    confirms:
      'ES-IC ES-CE ES-ML FI-AX DE-BUESINGEN DE-HELIGOLAND IT-LIVIGNO IT-CAMPIONE GR-ATHOS FR-GF FR-YT FR-COM FR-GP ' +
      'FR-MQ FR-RE AT-MITTELBERG PT-MADEIRA GG GI GL BM KY',
  },
  {
    title: 'Avalara, Global VAT and GST on digital services',
    url: 'https://www.avalara.com/us/en/vatlive/global-vat-gst-on-e-services.html',
    asOf: '2026-02-26',
    confirms:
      'AL AD AM AO AU BD BH BS BY CA CH CL CM CO CR DZ EC EG ID IN IS JP KE KR MA MD MU MX MY NG NO NZ OM PE PH PY RS ' +
      'RU SA SG TJ TW TZ ZA',
  },
  {
    title: 'VAT Calc, Asia Pacific VAT on digital services',
    url: 'https://vatcalc.com/bhutan/bhutan-gst-foreign-digital-services',
    asOf: '2024-12-31',
    confirms: 'KG KH LA NP',
  },
  {
    title: 'VAT Calc, Africa and Middle East VAT on digital services',
    url: 'https://vatcalc.com/rwanda/rwanda-vat-on-digital-services-review',
    asOf: '2024-12-31',
    confirms: 'BJ CV ET',
  },
  {
    title: 'VAT Calc, Côte d’Ivoire',
    url: 'https://vatcalc.com/ivory-coast/ivory-coast-vat-on-digital-services-2022',
    asOf: '2024-04-09',
    confirms: 'CI',
  },
  {
    title: 'VAT Calc, Suriname and Latin America',
    url: 'https://vatcalc.com/suriname/suriname-10-vat-on-foreign-digital-service-providers-2023',
    asOf: '2025-01-01',
    confirms: 'BB SR',
  },
  {
    title: 'Global VAT rates A–Z',
    url: 'https://www.online-vat-calculator.co.uk/global-vat-rates/',
    asOf: '2022-12-31',
    confirms: 'HK JE MN MO',
  },
  {
    title: 'Global VAT Compliance, VAT rates of African countries',
    url: 'https://www.globalvatcompliance.com/globalvatnews/kenya-abolishes-digital-tax/',
    asOf: '2024-12-27',
    confirms: 'TN UG',
  },
  {
    title: 'TAKS, General about VAT',
    url: 'https://www.taks.fo/en/business/vat/general-about-vat',
    asOf: '2026-01-01',
    confirms: 'FO',
  },
];

const CHANGES_BY_COUNTRY: readonly Reference[] = [
  {
    title: 'RSM, United Arab Emirates VAT for electronically supplied services',
    url: 'https://rsmus.com/what-we-do/services/tax/international-tax-planning/managing-global-value-added-tax/foreign-indirect-tax-resource-center/middle-east-north-africa/united-arab-emirates.html',
    asOf: '2018-03-12',
    confirms: 'AE',
  },
  {
    title: 'International VAT Association, DR Congo taxes digital services, Kuwait plans no VAT before 2028',
    url: 'https://www.vatassociation.org/2024/04/22/european-vat-news-april-2024/',
    asOf: '2024-04-22',
    confirms: 'CD KW',
  },
  {
    title: 'VAT Calc, Senegal',
    url: 'https://vatcalc.com/senegal/senegal-vat-on-digital-services-2023',
    asOf: '2024-07-01',
    confirms: 'SN',
  },
  {
    title: 'VATupdate, Zambia taxes digital services from 2024',
    url: 'https://www.vatupdate.com/2024/03/27/zambia-implements-vat-on-e-services-for-non-resident-providers-new-regulations-effective-january-2024/',
    asOf: '2024-03-27',
    confirms: 'ZM',
  },
  {
    title: 'KPMG, GST in Bhutan from 2026',
    url: 'https://kpmg.com/us/en/taxnewsflash/news/2025/10/tnf-bhutan-new-gst-regime-to-replace-existing-sales-tax-framework.html',
    asOf: '2026-01-01',
    confirms: 'BT',
  },
  {
    title: 'FBC News, Fiji lowers VAT to 12.5 % on 1 August 2025',
    url: 'https://www.fbcnews.com.fj/news/vat-slashed-to-12-5-government-unveils-sweeping-tariff-cuts/',
    asOf: '2025-08-01',
    confirms: 'FJ',
  },
  {
    title: 'GhanaWeb, VAT at 20 % with its levies from 2026, after a notice of the Ghana Revenue Authority',
    url: 'https://www.ghanaweb.com/GhanaHomePage/business/VAT-cut-to-20-COVID-Levy-gone-as-as-new-tax-act-takes-effect-January-2026-2015889',
    asOf: '2026-01-01',
    confirms: 'GH',
  },
  {
    title: 'KPMG, Google tax in Kazakhstan from 2026',
    url: 'https://kpmg.com/kz/en/home/insights/2025/11/google-tax.html',
    asOf: '2026-01-01',
    confirms: 'KZ',
  },
  {
    title: 'VAT on digital services in Sri Lanka from July 2026',
    url: 'https://www.taxadvisor.lk/article/vds',
    asOf: '2026-07-01',
    confirms: 'LK',
  },
  {
    title: 'Avalara, VAT on digital services in Thailand',
    url: 'https://www.avalara.com/blog/en/europe/2022/03/vat-on-digital-services-to-customers-in-thailand.html',
    asOf: '2022-05-31',
    confirms: 'TH',
  },
  {
    title: 'Avalara, Uruguay VAT on foreign digital services',
    url: 'https://www.avalara.com/vatlive/en/vat-news/uruguay-vat-on-foreign-digital-services.html',
    asOf: '2018-07-26',
    confirms: 'UY',
  },
  {
    title: 'Tax & Legal Uzbekistan, VAT on foreign digital services',
    url: 'https://tax-legal.uz/en/vat-digital-services',
    asOf: '2024-12-31',
    confirms: 'UZ',
  },
  {
    title: 'VATupdate, Viet Nam lowers VAT from July 2025 until the end of 2026',
    url: 'https://www.vatupdate.com/2025/07/04/government-reduces-vat-from-july-1-2025-to-december-31-2026-excluding-certain-sectors',
    asOf: '2025-07-04',
    confirms: 'VN',
  },
  {
    title: 'VATupdate, VAT in Zimbabwe at 15.5 % from 2026, after ZIMRA',
    url: 'https://www.vatupdate.com/2026/01/31/vat-rate-change-and-impact-on-tarms-return-submission',
    asOf: '2026-01-31',
    confirms: 'ZW',
  },
  {
    title: 'VATupdate, the Azores at 16 % from July 2021',
    url: 'https://vatupdate.com/2021/07/12/standard-vat-rate-in-azores-is-reduced-to-16',
    asOf: '2021-07-12',
    confirms: 'PT-AZORES',
  },
];

const NORTH_AMERICA: readonly Reference[] = [
  {
    title: 'Avalara, Canadian rates by province',
    url: 'https://www.avalara.com/us/en/vatlive/country-guides/north-america/canada/canadian-vat-compliance-and-rates.html',
    asOf: '2025-12-24',
    confirms: each('CA', 'AB BC MB NB NL NT ON PE QC SK YT'),
  },
  {
    title: 'GST/HST by province after Nova Scotia’s change of April 2025',
    url: 'https://ace-volve.com/nova-scotia-to-cut-hst-rate-in-2025',
    asOf: '2025-06-10',
    confirms: each('CA', 'NS NU'),
  },
  {
    title: 'Crowe Soberman, Manitoba retail sales tax on software and online services',
    url: 'https://www.crowe.com/ca/crowesoberman/insights/manitoba-retail-sales-tax-to-software-and-online-services',
    asOf: '2026-01-01',
    confirms: 'CA-MB',
  },
  {
    title: 'Sales tax by state',
    url: 'https://federalstatelaw.com/tables/sales-tax',
    asOf: '2025-12-15',
    confirms: each(
      'US',
      'AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC',
    ),
  },
  {
    title: 'State rates in a list of rates for digital products',
    url: 'https://github.com/hassantafreshi/Global-VAT-Rates-for-Digital-Products',
    asOf: '2025-03-28',
    confirms: each('US', 'ND OH OK OR PA RI SC TN TX UT VT VA WA WV WI WY'),
  },
  {
    title: 'Federation of Tax Administrators, state rates of 2019',
    url: 'https://online.documentine.com/6-25-sales-tax-calculator/1/2019-state-sales-tax-rates-and-exemptions.html',
    asOf: '2019-01-01',
    confirms: 'US-DC',
  },
  {
    title: 'Avalara, Louisiana’s rate and digital products from 2025',
    url: 'https://www.avalara.com/blog/en/north-america/2024/12/louisiana-to-raise-sales-tax-rate-tax-digital-products.html',
    asOf: '2025-01-01',
    confirms: 'US-LA US-LA/digital_good US-LA/software US-LA/saas',
  },
  {
    title: 'Ipswich Tribune, South Dakota’s rate until June 2027',
    url: 'https://www.ipswichtribune.com/story/2023/06/28/news/sales-tax-rate-decrease-july-1/3468.html',
    asOf: '2023-07-01',
    confirms: 'US-SD',
  },
  {
    title: 'Doola, which states tax digital products and software used online',
    url: 'https://help.doola.com/sales-tax-applicability-for-online-services-doola-help-center',
    asOf: '2022-12-31',
    confirms: [
      each(
        'US',
        'AR AZ CA CO CT DC FL GA HI IA ID IL IN KS KY MA MD ME MI MN MO MS NC ND NE NJ NM NV NY OH OK PA RI SC SD TN TX UT VA ' +
          'VT WA WI WV WY AL',
        '/digital_good',
      ),
      each(
        'US',
        'AR AZ CA CO CT DC FL GA HI IA ID IL IN KS MA ME MI MN MO MS NE NJ NM NV NY OH OK PA RI SC SD TN TX UT VA VT WA ' +
          'WI WV WY',
        '/saas',
      ),
    ].join(' '),
  },
  {
    title: 'Sales Tax Institute, Mississippi taxes software, but none that is kept outside the state',
    url: 'https://www.salestaxinstitute.com/resources/mississippi-imposes-tax-on-computer-software-with-exemption-for-out-of-state-storage',
    asOf: '2023-07-01',
    confirms: 'US-MS/digital_good US-MS/software US-MS/saas',
  },
  {
    title: 'Avalara, West Virginia exempts digital products',
    url: 'https://www.avalara.com/blog/en/north-america/2021/09/west-virginia-changed-how-it-taxes-sales-of-streaming-services.html',
    asOf: '2021-09-15',
    confirms: 'US-WV/digital_good',
  },
];

export const REFERENCES: readonly Reference[] = [
  ...RATES_BY_COUNTRY,
  ...CHANGES_BY_COUNTRY,
  ...NORTH_AMERICA,
];
