/**
 * Html with every known attack: to run, to send, to load, to navigate, to cover. Its images have paths that start with
 * `/image`, and so do prefetches that browsers make under any permissive policy; all other paths start differently.
 *
 * @param server target of all its requests
 */
export function hostileHtml(server: string): string {
  const run = `document.body.dataset.ran='yes';top.document.title='taken';fetch('${server}/fetched')`;
  return `
<meta http-equiv="refresh" content="0; url=${server}/refresh">
<base href="${server}/base/">
<link rel="stylesheet" href="${server}/style.css">
<link rel="preload" as="script" href="${server}/preload.js">
<link rel="prefetch" href="${server}/image-prefetch">
<link rel="dns-prefetch" href="${server}">
<style>
  @import url("${server}/import.css");
  @font-face { font-family: x; src: url("${server}/font.woff") }
  body { font-family: x; background: url("${server}/image-css.png") }
  .cover { position: fixed; inset: -500px; z-index: 2147483647; background: rgb(255 0 0 / 2%); pointer-events: none }
</style>
<script>${run}</script>
<script src="${server}/script.js"></script>
<script type="module">${run}</script>
<svg onload="${run}"><script>${run}</script><image href="${server}/image-svg.png"/><a href="javascript:${run}"><text y="20">svg</text></a></svg>
<img src="x" onerror="${run}">
<img src="${server}/image.png" srcset="${server}/image-2x.png 2x">
<picture><source srcset="${server}/image-source.png"><img src="${server}/image-picture.png"></picture>
<table background="${server}/image-table.png"><tr><td>a</td></tr></table>
<video src="${server}/video.mp4" autoplay poster="${server}/image-poster.png"></video>
<audio src="${server}/audio.mp3" autoplay></audio>
<iframe src="${server}/frame"></iframe>
<iframe srcdoc="<script>${run}</script>"></iframe>
<iframe src="javascript:${run}"></iframe>
<object data="${server}/object"></object>
<embed src="${server}/embed">
<p><a href="javascript:${run}">javascript link</a></p>
<form action="${server}/form" method="post"><input name="a" value="b" autofocus onfocus="${run}"><button>send</button></form>
<form action="javascript:${run}"><button>script</button></form>
<details open ontoggle="${run}"><summary>more</summary></details>
<marquee onstart="${run}">m</marquee>
<input type="image" src="${server}/image-input.png" alt="i">
<div class="cover"></div>
<p>the end of it</p>`;
}
