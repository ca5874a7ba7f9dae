import url = require('node:url');

// CommonJS has no `import.meta`: its syntax alone fails there.
export = { folder: url.pathToFileURL(`${__dirname}/`) };
