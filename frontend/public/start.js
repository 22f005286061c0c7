// Fetches the code once the page is painted, or after a second where no browser tells of paints: until then the line belongs to what is read.
const painted = new Promise((done) => {
  new PerformanceObserver(done).observe({ type: 'paint', buffered: true });
  setTimeout(done, 1000);
});
painted.then(() => {
  const files = document.getElementById('app').dataset.code.split(' ');
  for (const href of files) {
    document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href }));
  }
  import(files[0]);
});
