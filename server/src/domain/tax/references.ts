/**
 * What the rows were compared with. None of it is a law: where a reference and the law differ, the law is right and
 * the row is to be mended. What no reference speaks of stays unchecked and is listed in docs/design/tax.md.
 */
export interface Reference {
  title: string;
  url: string;
  /** The day that its figures are of, as it says itself; without a date, the latest that its contents speak of. */
  asOf: string;
  /** It tells the steps through time too, not only what held on that day. */
  isHistory?: boolean;
  /**
   * What it says, apart by spaces: the percentages of a country (`DE=19`), with all of them side by side or through
   * time (`GH=15|2.5`); those of a part of one (`CA-ON=13`); whether a US state taxes a category (`US-TX/saas=taxed`).
   */
  confirms: string;
}

/** The day on which all of them were read, in stored copies. */
export const READ_ON = '2026-11-21';

const RATES_BY_COUNTRY: readonly Reference[] = [
  {
    title: 'Standard VAT rates since 1967, after TEDB and the Commission’s booklet “VAT rates applied”',
    url: 'https://raw.githubusercontent.com/vatnode/eu-vat-rates-data/main/data/eu-vat-rates-history.json',
    asOf: '2026-09-23',
    isHistory: true,
    confirms:
      'AT=20 BE=21 BG=20 CY=19 CZ=21 DE=19|16 DK=25 EE=20|22|24 ES=21 FI=24|25.5 FR=20 GR=23|24 HR=25 ' +
      'HU=27 IE=23|21 IT=22 LT=21 LU=17|16 LV=21 MT=18 NL=21 PL=23 PT=23 RO=24|20|19|21 SE=25 SI=22 ' +
      'SK=20|23',
  },
  {
    title: 'European VAT rates, after TEDB and national authorities',
    url: 'https://github.com/vatnode/eu-vat-rates-data-js',
    asOf: '2026-08-22',
    confirms:
      'AD=4.5 AL=20 BA=17 CH=8.1 GB=20 GE=18 IS=24 LI=8.1 MD=20 ME=21 MK=18 NO=25 RS=20 TR=20 UA=20 ' +
      'XK=18',
  },
  {
    title: 'VAT rates with territories',
    url: 'https://github.com/kdeldycke/vat-rates',
    asOf: '2025-09-25',
    confirms:
      'ES-IC=0 ES-CE=0 ES-ML=0 FI-AX=0 DE-BUESINGEN=0 DE-HELIGOLAND=0 IT-LIVIGNO=0 IT-CAMPIONE=0 ' +
      'GR-ATHOS=0 FR-GF=0 FR-YT=0 FR-COM=0 FR-GP=8.5 FR-MQ=8.5 FR-RE=8.5 AT-MITTELBERG=19 PT-MADEIRA=22 ' +
      'GG=0 GI=0 GL=0 BM=0 KY=0',
  },
  {
    title: 'Avalara, Global VAT and GST on digital services',
    url: 'https://www.avalara.com/us/en/vatlive/global-vat-gst-on-e-services.html',
    asOf: '2026-02-26',
    confirms:
      'AL=20 AD=4.5 AM=20 AO=14 AU=10 BD=15 BH=10 BS=10 BY=20 CA=5 CH=8.1 CL=19 CM=19.25 CO=19 CR=13 ' +
      'DZ=19 EC=15 EG=14 ID=11 IN=18 IS=24 JP=10 KE=16 KR=10 MA=20 MD=20 MU=15 MX=16 MY=8 NG=7.5 NO=25 ' +
      'NZ=15 OM=5 PE=18 PH=12 PY=10 RS=20 RU=22 SA=15 SG=9 TJ=14 TW=5 TZ=18 ZA=15',
  },
  {
    title: 'VAT Calc, Asia Pacific VAT on digital services',
    url: 'https://vatcalc.com/bhutan/bhutan-gst-foreign-digital-services',
    asOf: '2024-03-01',
    confirms: 'KG=12 KH=10 LA=10 NP=13',
  },
  {
    title: 'VAT Calc, Africa and Middle East VAT on digital services',
    url: 'https://vatcalc.com/rwanda/rwanda-vat-on-digital-services-review',
    asOf: '2024-08-01',
    confirms: 'BJ=18 CV=15 ET=15',
  },
  {
    title: 'VAT Calc, Côte d’Ivoire',
    url: 'https://vatcalc.com/ivory-coast/ivory-coast-vat-on-digital-services-2022',
    asOf: '2024-04-09',
    confirms: 'CI=18',
  },
  {
    title: 'VAT Calc, Suriname and Latin America',
    url: 'https://vatcalc.com/suriname/suriname-10-vat-on-foreign-digital-service-providers-2023',
    asOf: '2023-01-01',
    confirms: 'BB=17.5 SR=10',
  },
  {
    title: 'Global VAT rates A–Z',
    url: 'https://www.online-vat-calculator.co.uk/global-vat-rates/',
    asOf: '2022-01-01',
    confirms: 'HK=0 JE=5 MN=10 MO=0',
  },
  {
    title: 'Global VAT Compliance, VAT rates of African countries',
    url: 'https://www.globalvatcompliance.com/globalvatnews/kenya-abolishes-digital-tax/',
    asOf: '2024-12-27',
    confirms: 'TN=19 UG=18',
  },
  {
    title: 'TAKS, General about VAT',
    url: 'https://www.taks.fo/en/business/vat/general-about-vat',
    asOf: '2015-01-01',
    confirms: 'FO=25',
  },
];

const CHANGES_BY_COUNTRY: readonly Reference[] = [
  {
    title: 'RSM, United Arab Emirates VAT for electronically supplied services',
    url: 'https://rsmus.com/what-we-do/services/tax/international-tax-planning/managing-global-value-added-tax/foreign-indirect-tax-resource-center/middle-east-north-africa/united-arab-emirates.html',
    asOf: '2018-03-12',
    confirms: 'AE=5',
  },
  {
    title: 'International VAT Association, DR Congo taxes digital services, Kuwait plans no VAT before 2028',
    url: 'https://www.vatassociation.org/2024/04/22/european-vat-news-april-2024/',
    asOf: '2024-04-22',
    confirms: 'CD=16 KW=0',
  },
  {
    title: 'VAT Calc, Senegal',
    url: 'https://vatcalc.com/senegal/senegal-vat-on-digital-services-2023',
    asOf: '2024-07-01',
    confirms: 'SN=18',
  },
  {
    title: 'VATupdate, Zambia taxes digital services from 2024',
    url: 'https://www.vatupdate.com/2024/03/27/zambia-implements-vat-on-e-services-for-non-resident-providers-new-regulations-effective-january-2024/',
    asOf: '2024-03-27',
    confirms: 'ZM=16',
  },
  {
    title: 'KPMG, GST in Bhutan from 2026',
    url: 'https://kpmg.com/us/en/taxnewsflash/news/2025/10/tnf-bhutan-new-gst-regime-to-replace-existing-sales-tax-framework.html',
    asOf: '2026-01-01',
    confirms: 'BT=5',
  },
  {
    title: 'FBC News, Fiji lowers VAT to 12.5 % on 1 August 2025',
    url: 'https://www.fbcnews.com.fj/news/vat-slashed-to-12-5-government-unveils-sweeping-tariff-cuts/',
    asOf: '2025-08-01',
    confirms: 'FJ=12.5',
  },
  {
    title: 'GhanaWeb, VAT at 20 % with its levies from 2026, after a notice of the Ghana Revenue Authority',
    url: 'https://www.ghanaweb.com/GhanaHomePage/business/VAT-cut-to-20-COVID-Levy-gone-as-as-new-tax-act-takes-effect-January-2026-2015889',
    asOf: '2026-01-01',
    confirms: 'GH=15|2.5',
  },
  {
    title: 'KPMG, Google tax in Kazakhstan from 2026',
    url: 'https://kpmg.com/kz/en/home/insights/2025/11/google-tax.html',
    asOf: '2026-01-01',
    confirms: 'KZ=16',
  },
  {
    title: 'VAT on digital services in Sri Lanka from July 2026',
    url: 'https://www.taxadvisor.lk/article/vds',
    asOf: '2026-07-01',
    confirms: 'LK=18',
  },
  {
    title: 'Avalara, VAT on digital services in Thailand',
    url: 'https://www.avalara.com/blog/en/europe/2022/03/vat-on-digital-services-to-customers-in-thailand.html',
    asOf: '2022-05-31',
    confirms: 'TH=7',
  },
  {
    title: 'Avalara, Uruguay VAT on foreign digital services',
    url: 'https://www.avalara.com/vatlive/en/vat-news/uruguay-vat-on-foreign-digital-services.html',
    asOf: '2018-07-26',
    confirms: 'UY=22',
  },
  {
    title: 'Tax & Legal Uzbekistan, VAT on foreign digital services',
    url: 'https://tax-legal.uz/en/vat-digital-services',
    asOf: '2023-01-01',
    confirms: 'UZ=12',
  },
  {
    title: 'VATupdate, Viet Nam lowers VAT from July 2025 until the end of 2026',
    url: 'https://www.vatupdate.com/2025/07/04/government-reduces-vat-from-july-1-2025-to-december-31-2026-excluding-certain-sectors',
    asOf: '2025-07-04',
    confirms: 'VN=8',
  },
  {
    title: 'VATupdate, VAT in Zimbabwe at 15.5 % from 2026, after ZIMRA',
    url: 'https://www.vatupdate.com/2026/01/31/vat-rate-change-and-impact-on-tarms-return-submission',
    asOf: '2026-01-31',
    confirms: 'ZW=15.5',
  },
  {
    title: 'VATupdate, the Azores at 16 % from July 2021',
    url: 'https://vatupdate.com/2021/07/12/standard-vat-rate-in-azores-is-reduced-to-16',
    asOf: '2021-07-12',
    confirms: 'PT-AZORES=16',
  },
];

const NORTH_AMERICA: readonly Reference[] = [
  {
    title: 'Avalara, Canadian rates by province',
    url: 'https://www.avalara.com/us/en/vatlive/country-guides/north-america/canada/canadian-vat-compliance-and-rates.html',
    asOf: '2025-12-24',
    confirms:
      'CA-AB=5 CA-BC=5|7 CA-MB=5|7 CA-NB=15 CA-NL=15 CA-NT=5 CA-ON=13 CA-PE=15 CA-QC=5|9.975 CA-SK=5|6 ' +
      'CA-YT=5',
  },
  {
    title: 'GST/HST by province after Nova Scotia’s change of April 2025',
    url: 'https://ace-volve.com/nova-scotia-to-cut-hst-rate-in-2025',
    asOf: '2025-06-10',
    confirms: 'CA-NS=14 CA-NU=5',
  },
  {
    title: 'Crowe Soberman, Manitoba retail sales tax on software and online services',
    url: 'https://www.crowe.com/ca/crowesoberman/insights/manitoba-retail-sales-tax-to-software-and-online-services',
    asOf: '2026-01-01',
    confirms: 'CA-MB=5|7',
  },
  {
    title: 'Sales tax by state',
    url: 'https://federalstatelaw.com/tables/sales-tax',
    asOf: '2025-12-15',
    confirms:
      'US-AL=4 US-AK=0 US-AZ=5.6 US-AR=6.5 US-CA=7.25 US-CO=2.9 US-CT=6.35 US-DE=0 US-FL=6 US-GA=4 ' +
      'US-HI=4 US-ID=6 US-IL=6.25 US-IN=7 US-IA=6 US-KS=6.5 US-KY=6 US-ME=5.5 US-MD=6 US-MA=6.25 ' +
      'US-MI=6 US-MN=6.875 US-MS=7 US-MO=4.225 US-MT=0 US-NE=5.5 US-NV=6.85 US-NH=0 US-NJ=6.625 ' +
      'US-NM=4.875 US-NY=4 US-NC=4.75',
  },
  {
    title: 'State rates in a list of rates for digital products',
    url: 'https://github.com/hassantafreshi/Global-VAT-Rates-for-Digital-Products',
    asOf: '2025-03-28',
    confirms:
      'US-ND=5 US-OH=5.75 US-OK=4.5 US-OR=0 US-PA=6 US-RI=7 US-SC=6 US-TN=7 US-TX=6.25|5 US-UT=6.1 ' +
      'US-VT=6 US-VA=5.3 US-WA=6.5 US-WV=6 US-WI=5 US-WY=4',
  },
  {
    title: 'Federation of Tax Administrators, state rates of 2019',
    url: 'https://online.documentine.com/6-25-sales-tax-calculator/1/2019-state-sales-tax-rates-and-exemptions.html',
    asOf: '2019-01-01',
    confirms: 'US-DC=6',
  },
  {
    title: 'Avalara, Louisiana’s rate and digital products from 2025',
    url: 'https://www.avalara.com/blog/en/north-america/2024/12/louisiana-to-raise-sales-tax-rate-tax-digital-products.html',
    asOf: '2025-01-01',
    confirms: 'US-LA=5 US-LA/digital_good=taxed US-LA/software=taxed US-LA/saas=taxed',
  },
  {
    title: 'Ipswich Tribune, South Dakota’s rate until June 2027',
    url: 'https://www.ipswichtribune.com/story/2023/06/28/news/sales-tax-rate-decrease-july-1/3468.html',
    asOf: '2023-07-01',
    confirms: 'US-SD=4.2',
  },
  {
    title: 'Doola, which states tax digital products and software used online',
    url: 'https://help.doola.com/sales-tax-applicability-for-online-services-doola-help-center',
    asOf: '2022-07-01',
    confirms:
      'US-AR/digital_good=taxed US-AZ/digital_good=taxed US-CA/digital_good=exempt ' +
      'US-CO/digital_good=taxed US-CT/digital_good=taxed US-DC/digital_good=taxed ' +
      'US-FL/digital_good=exempt US-GA/digital_good=exempt US-HI/digital_good=taxed ' +
      'US-IA/digital_good=taxed US-ID/digital_good=taxed US-IL/digital_good=exempt ' +
      'US-IN/digital_good=taxed US-KS/digital_good=exempt US-KY/digital_good=taxed ' +
      'US-MA/digital_good=exempt US-MD/digital_good=taxed US-ME/digital_good=taxed ' +
      'US-MI/digital_good=exempt US-MN/digital_good=taxed US-MO/digital_good=exempt ' +
      'US-MS/digital_good=taxed US-NC/digital_good=taxed US-ND/digital_good=exempt ' +
      'US-NE/digital_good=taxed US-NJ/digital_good=taxed US-NM/digital_good=taxed ' +
      'US-NV/digital_good=exempt US-NY/digital_good=exempt US-OH/digital_good=taxed ' +
      'US-OK/digital_good=exempt US-PA/digital_good=taxed US-RI/digital_good=taxed ' +
      'US-SC/digital_good=exempt US-SD/digital_good=taxed US-TN/digital_good=taxed ' +
      'US-TX/digital_good=taxed US-UT/digital_good=taxed US-VA/digital_good=exempt ' +
      'US-VT/digital_good=taxed US-WA/digital_good=taxed US-WI/digital_good=taxed ' +
      'US-WV/digital_good=exempt US-WY/digital_good=taxed US-AL/digital_good=taxed US-AR/saas=exempt ' +
      'US-AZ/saas=taxed US-CA/saas=exempt US-CO/saas=exempt US-CT/saas=taxed US-DC/saas=taxed ' +
      'US-FL/saas=exempt US-GA/saas=exempt US-HI/saas=taxed US-IA/saas=taxed US-ID/saas=exempt ' +
      'US-IL/saas=exempt US-IN/saas=exempt US-KS/saas=exempt US-MA/saas=taxed US-ME/saas=exempt ' +
      'US-MI/saas=exempt US-MN/saas=exempt US-MO/saas=exempt US-MS/saas=exempt US-NE/saas=exempt ' +
      'US-NJ/saas=exempt US-NM/saas=taxed US-NV/saas=exempt US-NY/saas=taxed US-OH/saas=exempt ' +
      'US-OK/saas=exempt US-PA/saas=taxed US-RI/saas=taxed US-SC/saas=taxed US-SD/saas=taxed ' +
      'US-TN/saas=taxed US-TX/saas=taxed US-UT/saas=taxed US-VA/saas=exempt US-VT/saas=exempt ' +
      'US-WA/saas=taxed US-WI/saas=exempt US-WV/saas=taxed US-WY/saas=exempt',
  },
  {
    title: 'Sales Tax Institute, Mississippi taxes software, but none that is kept outside the state',
    url: 'https://www.salestaxinstitute.com/resources/mississippi-imposes-tax-on-computer-software-with-exemption-for-out-of-state-storage',
    asOf: '2023-07-01',
    confirms: 'US-MS/digital_good=taxed US-MS/software=taxed US-MS/saas=exempt',
  },
  {
    title: 'Avalara, West Virginia exempts digital products',
    url: 'https://www.avalara.com/blog/en/north-america/2021/09/west-virginia-changed-how-it-taxes-sales-of-streaming-services.html',
    asOf: '2021-09-15',
    confirms: 'US-WV/digital_good=exempt',
  },
];

export const REFERENCES: readonly Reference[] = [
  ...RATES_BY_COUNTRY,
  ...CHANGES_BY_COUNTRY,
  ...NORTH_AMERICA,
];
